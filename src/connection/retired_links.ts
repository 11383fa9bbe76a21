import type { Link } from "./link.ts";
import { settledWithin } from "./timers.ts";

/** Milliseconds that a link gets to close; sessions over HTTP say goodbye within one second. */
const CLOSE_LINK_MS = 1_500;

/** Closes a link: bounded, never rejects. */
export async function closeLink(link: Link): Promise<void> {
  await settledWithin(link.close(), CLOSE_LINK_MS);
}

/** Links that others have taken the place of, until nothing waits on them any more. */
export class RetiredLinks {
  readonly #links = new Set<Link>();

  /** Those that are not closed yet. */
  links(): readonly Link[] {
    return [...this.#links];
  }

  /** Leaves the requests that the old session still answers to end; then closes its link. */
  async add(link: Link): Promise<void> {
    this.#links.add(link);
    await link.wire.idle();
    this.#links.delete(link);
    await closeLink(link);
  }
}

import type { Answer } from "../rpc.ts";
import type { OnUpdate } from "./subscriptions.ts";

/**
 * Begins to tell of a resource that a host calls so; gives what ends that.
 * @throws {HotplugError} `aborted`.
 */
export type Subscribe = (
  uri: string,
  onUpdate: OnUpdate,
  signal: AbortSignal,
) => Promise<Subscribed>;

/** What becomes of a subscription: what ends it, or why there is none. */
export type Subscribed = { readonly end: () => void } | { readonly refusal: Answer };

/** The resources that one host of the legacy era has subscribed to, each once. */
export class HostSubscriptions {
  readonly #onUpdate: OnUpdate;
  readonly #ends = new Map<string, () => void>();
  #isOver = false;

  /** None yet. */
  constructor(onUpdate: OnUpdate) {
    this.#onUpdate = onUpdate;
  }

  /** Subscribes to a resource; gives why that cannot be, else `null`. */
  async add(uri: string, subscribe: Subscribe, signal: AbortSignal): Promise<Answer | null> {
    if (this.#ends.has(uri)) return null;
    const subscribed = await subscribe(uri, this.#onUpdate, signal);
    if ("refusal" in subscribed) return subscribed.refusal;
    // The same may have been asked for twice at a time, and the host may be gone.
    if (this.#isOver || this.#ends.has(uri)) subscribed.end();
    else this.#ends.set(uri, subscribed.end);
    return null;
  }

  /** Ends a subscription; nothing happens when there is none. */
  remove(uri: string): void {
    this.#ends.get(uri)?.();
    this.#ends.delete(uri);
  }

  /** Ends all: the host is gone. */
  end(): void {
    this.#isOver = true;
    for (const end of this.#ends.values()) end();
    this.#ends.clear();
  }
}

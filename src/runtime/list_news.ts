import type { JsonObject } from "../model/json.ts";
import type { ListKind } from "../model/listing.ts";

/** One item of a list, as its server lists it. */
interface Item {
  /** All of it. */
  readonly raw: JsonObject;
}

/** What {@linkcode ListNews} work with. */
export interface ListNewsOptions {
  /** What a list of a server holds now; the same array until it is read anew. */
  readonly listed: (server: string, kind: ListKind) => readonly Item[];
  /** Told of a list that holds something else than before. Must not throw. */
  readonly tell: (server: string, kind: ListKind) => void;
}

const KINDS: readonly ListKind[] = ["tools", "resources", "resourceTemplates", "prompts"];

const NOTHING: readonly Item[] = [];

/**
 * Tells which lists of servers hold something else than they did, for whatever reason. It looks at
 * the end of the turn in which something may have changed, when all is in place.
 */
export class ListNews {
  readonly #options: ListNewsOptions;
  /** What each list held when it was looked at last. */
  readonly #seen = new Map<string, Map<ListKind, readonly Item[]>>();
  readonly #due = new Set<string>();

  /** Every list is empty. */
  constructor(options: ListNewsOptions) {
    this.#options = options;
  }

  /** Notes that lists of a server may have changed. */
  look(server: string): void {
    if (this.#due.size === 0) queueMicrotask(() => this.#lookAtDue());
    this.#due.add(server);
  }

  /** Notes that lists of any server may have changed. */
  lookAtAll(): void {
    for (const server of this.#seen.keys()) this.look(server);
  }

  #lookAtDue(): void {
    const servers = [...this.#due];
    this.#due.clear();
    for (const server of servers) {
      for (const kind of KINDS) {
        if (this.#isNews(server, kind)) this.#options.tell(server, kind);
      }
    }
  }

  #isNews(server: string, kind: ListKind): boolean {
    const seen = this.#seen.get(server) ?? new Map<ListKind, readonly Item[]>();
    const before = seen.get(kind) ?? NOTHING;
    const now = this.#options.listed(server, kind);
    if (now === before) return false;
    this.#seen.set(server, seen.set(kind, now));
    return !isSameList(before, now);
  }
}

/** Whether two lists hold the same items in the same order, to the last field. */
export function isSameList(before: readonly Item[], after: readonly Item[]): boolean {
  return before.length === after.length &&
    before.every(({ raw }, index) => JSON.stringify(raw) === JSON.stringify(after[index]?.raw));
}

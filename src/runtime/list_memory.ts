import type { CacheEntry } from "../model/cache.ts";
import { toHotplugError } from "../model/errors.ts";
import type { ServerStart } from "./server_start.ts";
import type { StartContext } from "./start_context.ts";

/** How what is known of a server changes. */
export type MemoryChange = (entry: CacheEntry | null) => CacheEntry;

/**
 * What the cache knows of one started server. Changes are written one after the other, each over
 * the last, best effort: what fails is logged and harms nothing.
 */
export class ListMemory {
  readonly #start: ServerStart;
  readonly #context: StartContext;
  #entry: CacheEntry | null = null;
  #last: Promise<void>;

  /** The memory of a start; it begins with what the cache knew. */
  constructor(start: ServerStart, context: StartContext) {
    this.#start = start;
    this.#context = context;
    this.#last = start.known.then((entry) => {
      this.#entry = entry;
    });
  }

  /** Changes the entry and writes it in the background. */
  change(change: MemoryChange): void {
    this.#last = this.#last.then(() => this.#write(change));
  }

  /** Resolves when all changes so far have been written, or could not be. Never rejects. */
  written(): Promise<void> {
    return this.#last;
  }

  async #write(change: MemoryChange): Promise<void> {
    const { toolCache, log } = this.#context;
    if (toolCache === null) return;
    try {
      const { fingerprint } = await this.#start.facts;
      this.#entry = change(this.#entry);
      await toolCache.set(fingerprint, this.#entry);
    } catch (error) {
      log.log("warn", "Cannot write the tool cache", {
        server: this.#start.input.name,
        cause: toHotplugError(error).message,
      });
    }
  }
}

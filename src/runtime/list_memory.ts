import type { CacheEntry, ToolCache } from "../model/cache.ts";
import { toHotplugError } from "../model/errors.ts";
import type { ServerStart } from "./server_start.ts";
import type { StartContext } from "./start_context.ts";

/** How what is known of a server changes. */
export type MemoryChange = (entry: CacheEntry | null) => CacheEntry;

/** Milliseconds that the cache may take each time; one that hangs holds nobody up longer. */
const CACHE_MS = 2_000;

/**
 * What the cache knows of one started server. Changes that come while a write is under way are
 * written together by the next one, best effort: what fails is logged and harms nothing.
 */
export class ListMemory {
  readonly #start: ServerStart;
  readonly #context: StartContext;
  #changes: MemoryChange[] = [];
  #writing: Promise<void> | null = null;
  #entry: CacheEntry | null = null;

  /** The memory of a start; it begins with what the cache knew. */
  constructor(start: ServerStart, context: StartContext) {
    this.#start = start;
    this.#context = context;
  }

  /** Changes the entry and writes it in the background. */
  change(change: MemoryChange): void {
    const { toolCache } = this.#context;
    if (toolCache === null) return;
    this.#changes.push(change);
    this.#writing ??= this.#write(toolCache);
  }

  /** Resolves when all changes so far have been written, or could not be. Never rejects. */
  async written(): Promise<void> {
    await this.#writing;
  }

  async #write(toolCache: ToolCache): Promise<void> {
    const { log } = this.#context;
    try {
      const { fingerprint } = await this.#start.facts;
      let entry = this.#entry ?? await this.#before(toolCache, fingerprint);
      while (this.#changes.length > 0) {
        for (const change of this.#changes.splice(0)) entry = change(entry);
        this.#entry = entry;
        if (entry !== null) await this.#within(toolCache.set(fingerprint, entry));
      }
    } catch (error) {
      this.#changes = [];
      log.log("warn", "Cannot write the tool cache", {
        server: this.#start.input.name,
        cause: toHotplugError(error).message,
      });
    } finally {
      // In the same turn as the last look at the changes: none may fall between.
      this.#writing = null;
    }
  }

  /**
   * What the cache knew. The start gives up asking soon, so what it does not know is asked once
   * more: a good list must not be written over because the disk was slow. [D17]
   */
  async #before(toolCache: ToolCache, fingerprint: string): Promise<CacheEntry | null> {
    return await this.#start.known ?? await this.#within(toolCache.get(fingerprint));
  }

  /** Waits for the cache. @throws When it fails or takes too long. */
  async #within<T>(answer: Promise<T>): Promise<T> {
    const waited = new AbortController();
    try {
      return await Promise.race([
        answer,
        this.#context.clock.delay(CACHE_MS, waited.signal).then((): never => {
          throw new Error("It takes too long");
        }),
      ]);
    } finally {
      waited.abort();
    }
  }
}

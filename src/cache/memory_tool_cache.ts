import type { CacheEntry, ToolCache } from "../model/cache.ts";

/** Entries kept at most; the one written longest ago goes first. No user has as many servers. */
const MAX_ENTRIES = 500;

/** A cache that ends with the process: for tests, and for hosts that want nothing on disk. */
export function memoryToolCache(): ToolCache {
  const entries = new Map<string, CacheEntry>();
  return {
    get(fingerprint: string): Promise<CacheEntry | null> {
      return Promise.resolve(entries.get(fingerprint) ?? null);
    },
    set(fingerprint: string, entry: CacheEntry): Promise<void> {
      entries.delete(fingerprint);
      entries.set(fingerprint, entry);
      const [oldest] = entries.keys();
      if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest);
      return Promise.resolve();
    },
  };
}

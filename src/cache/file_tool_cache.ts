import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { CacheEntry, ToolCache } from "../model/cache.ts";
import { HotplugError } from "../model/errors.ts";
import { factsOf } from "../platform/local_files.ts";
import { entryText, parseEntry } from "./entry_json.ts";

/** Bytes of the largest entry: 16 MiB, a hundred times the largest of 31 real servers. */
const MAX_ENTRY_BYTES = 16 * 1024 * 1024;

/** Fingerprints are hexadecimal; nothing else ever becomes a file name. */
const FINGERPRINT = /^[0-9a-f]{16,128}$/;

/**
 * The default cache: one JSON file (0600) a server and way of starting it, in the folder `servers`
 * of Hotplug's cache folder. Entries that nobody wrote for 30 days are removed.
 * @param folder Hotplug's cache folder; it need not exist.
 * @param now The clock, in milliseconds since 1970.
 */
export function fileToolCache(folder: string, now: () => number = Date.now): ToolCache {
  const entries = join(folder, "servers");
  /** The last write of each entry: a later one never lands before an earlier one. */
  const writes = new Map<string, Promise<void>>();

  async function write(fingerprint: string, entry: CacheEntry): Promise<void> {
    const path = join(entries, `${fingerprint}.json`);
    const text = entryText(fingerprint, entry);
    if (new TextEncoder().encode(text).length > MAX_ENTRY_BYTES) {
      throw new HotplugError("write-failed", `Cannot cache to "${path}": the lists are too large`);
    }
    // Loaded here, since many runs only read.
    const [{ writePrivateFile }, { sweepEntries }] = await Promise.all([
      import("../platform/private_file.ts"),
      import("./sweep_entries.ts"),
    ]);
    // A file that a power failure tore is a miss, so nobody needs to wait for the disk.
    await writePrivateFile(path, text, { lasting: false });
    await sweepEntries(entries, now());
  }

  return {
    get: (fingerprint) => Promise.resolve(readEntry(entries, fingerprint)),
    async set(fingerprint: string, entry: CacheEntry): Promise<void> {
      if (!FINGERPRINT.test(fingerprint)) {
        throw new HotplugError(
          "write-failed",
          `Cannot cache under "${fingerprint}": not hexadecimal`,
        );
      }
      const earlier = writes.get(fingerprint) ?? Promise.resolve();
      const own = earlier.catch(() => {}).then(() => write(fingerprint, entry));
      writes.set(fingerprint, own);
      try {
        await own;
      } finally {
        if (writes.get(fingerprint) === own) writes.delete(fingerprint);
      }
    },
  };
}

/** The entry of a fingerprint. Whatever hinders reading is a miss: the server will be asked. */
function readEntry(folder: string, fingerprint: string): CacheEntry | null {
  if (!FINGERPRINT.test(fingerprint)) return null;
  const path = join(folder, `${fingerprint}.json`);
  const facts = factsOf(path);
  if (facts?.isFile() !== true || facts.size > MAX_ENTRY_BYTES) return null;
  try {
    return parseEntry(fingerprint, readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}

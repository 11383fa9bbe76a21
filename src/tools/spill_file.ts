import { readdir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";

import { writePrivateFile } from "../platform/private_file.ts";

/** How long a spilled result is kept: 7 days, in milliseconds. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/** Names of our own files; nothing else in the folder is ever removed. */
const SPILL_NAME = /^result-[0-9a-f-]{36}\.txt$/;

/**
 * Writes a text that is too long for a model into a file of its own (0600), and removes those
 * older than 7 days: spills are rare, so every one can afford to look.
 * @param cacheFolder Hotplug's cache folder; the file goes into its folder `results`.
 * @returns The absolute path of the file.
 * @throws {HotplugError} `write-failed`
 */
export async function writeSpill(
  cacheFolder: string,
  text: string,
  now: number = Date.now(),
): Promise<string> {
  const folder = join(cacheFolder, "results");
  const path = join(folder, `result-${crypto.randomUUID()}.txt`);
  await writePrivateFile(path, text);
  await sweep(folder, now);
  return path;
}

async function sweep(folder: string, now: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (!SPILL_NAME.test(name)) continue;
    const path = join(folder, name);
    try {
      if (now - (await stat(path)).mtimeMs > KEPT_MS) await unlink(path);
    } catch {
      // Another process was faster, or the file is not ours to remove.
    }
  }
}

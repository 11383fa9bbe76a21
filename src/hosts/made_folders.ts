import { rmdir } from "node:fs/promises";
import { dirname, resolve, sep } from "node:path";
import { factsOf } from "../platform/local_files.ts";

/** The folders above a path that are not there yet, outermost first. */
export function missingFolders(path: string): readonly string[] {
  const missing: string[] = [];
  for (let folder = dirname(resolve(path)); factsOf(folder) === null; folder = dirname(folder)) {
    missing.unshift(folder);
    if (dirname(folder) === folder) break;
  }
  return missing;
}

/** The folders above a path up to an outermost one, outermost first; none when it lies elsewhere. */
export function foldersWithin(path: string, outermost: string): readonly string[] {
  const found: string[] = [];
  for (let folder = dirname(path);; folder = dirname(folder)) {
    if (folder !== outermost && !folder.startsWith(`${outermost}${sep}`)) return found;
    found.unshift(folder);
  }
}

/** Removes the folders that are empty, innermost first. What holds anything stays. */
export async function removeEmpty(folders: readonly string[]): Promise<void> {
  for (const folder of folders.toSorted((a, b) => b.length - a.length)) {
    try {
      await rmdir(folder);
    } catch {
      // It holds something of others, or is gone.
    }
  }
}

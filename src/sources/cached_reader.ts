import type { FolderIndex } from "../platform/folder_index.ts";
import { readTextFile, type TextFile } from "../platform/text_file.ts";
import type { ReadFile } from "./source.ts";

/**
 * A reader that opens each path once: make one for each discovery. Several sources, and several
 * sections of one file, then see the same text even when the file changes meanwhile.
 *
 * @param index What tells of most paths that nothing is there.
 * @param read What reads a file; the default reads the disk.
 */
export function cachedReader(
  index: Pick<FolderIndex, "isAbsent"> | null = null,
  read: ReadFile = readTextFile,
): ReadFile {
  const files = new Map<string, Promise<TextFile>>();
  return (path, options = {}) => {
    const key = `${options.ownerUid ?? ""}\0${path}`;
    const known = files.get(key);
    if (known !== undefined) return known;
    const reading = index?.isAbsent(path) === true
      ? Promise.resolve<TextFile>({ state: "absent", path })
      : read(path, options);
    files.set(key, reading);
    return reading;
  };
}

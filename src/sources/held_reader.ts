import { readTextFile, type TextFile } from "../platform/text_file.ts";
import type { ReadFile } from "./source.ts";

/**
 * A reader to which some files hold a given text, whatever is on the disk.
 *
 * @param held The texts, by absolute path.
 */
export function heldReader(held: ReadonlyMap<string, string>): ReadFile {
  return (path, options) => {
    const text = held.get(path);
    if (text === undefined) return readTextFile(path, options);
    return Promise.resolve({ state: "loaded", path, text, notes: [] });
  };
}

/** A reader that tells of each file that it was asked for. */
export function toldReader(
  read: ReadFile,
  onRead: ((file: TextFile) => void) | undefined,
): ReadFile {
  if (onRead === undefined) return read;
  return async (path, options) => {
    const file = await read(path, options);
    onRead(file);
    return file;
  };
}

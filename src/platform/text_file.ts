import { closeSync, constants, lstatSync, openSync, readSync, type Stats, statSync } from "node:fs";

import { type ErrorInfo, HotplugError } from "../model/errors.ts";
import { errnoOf, errnoText } from "./errno.ts";
import { noteLook } from "./looks.ts";

/**
 * What became of reading one file. Only a file that is not there is `absent`; everything else that
 * hinders reading is `unreadable`, so that nobody takes it for missing and writes over it.
 */
export type TextFile =
  | {
    readonly state: "loaded";
    /** The path that was asked for. */
    readonly path: string;
    /** Its text, without a byte order mark. */
    readonly text: string;
    /** What was odd about its encoding, one sentence each. */
    readonly notes: readonly string[];
  }
  | { readonly state: "absent"; readonly path: string }
  | { readonly state: "unreadable"; readonly path: string; readonly error: ErrorInfo };

/**
 * Bytes of the largest file that is read by default: 32 MiB. Some hosts keep their whole state in
 * their config file, which grows to megabytes.
 */
export const MAX_TEXT_BYTES: number = 32 * 1024 * 1024;

/** What to do about a file that no config grows to. */
const TOO_LARGE = "Make it smaller; everything in it is left out until then";

/** What to do about something else of a file's name. */
const NOT_A_FILE = "Move it away, or put a file in its place";

/** How {@linkcode readTextFile} reads. */
export interface ReadTextOptions {
  /** User id that the file, and a link that leads to it, must belong to; `null` does not check. */
  readonly ownerUid?: number | null;
  /** Most bytes that are read. Default {@linkcode MAX_TEXT_BYTES}. */
  readonly maxBytes?: number;
}

/**
 * Reads a text file in UTF-8, or in UTF-16 when its first bytes say so. Never rejects.
 *
 * @param path Absolute path. Links are followed.
 */
export function readTextFile(path: string, options: ReadTextOptions = {}): Promise<TextFile> {
  return Promise.resolve(readTextNow(path, options));
}

/** The same at once, for what is decided without waiting. Never throws. */
export function readTextNow(path: string, options: ReadTextOptions = {}): TextFile {
  const { ownerUid = null, maxBytes = MAX_TEXT_BYTES } = options;
  try {
    // Looked at before it is opened: opening a named pipe would wait for its writer.
    // Most files that are asked for are absent, and an error for each would cost more than the look.
    const found = lookedAt("stat", path);
    if (found === undefined) return { state: "absent", path };
    if (found.isDirectory()) return unreadable(path, "it is a folder", NOT_A_FILE);
    if (!found.isFile()) return unreadable(path, "it is not a regular file", NOT_A_FILE);
    if (ownerUid !== null && (found.uid !== ownerUid || lookedAt("link", path)?.uid !== ownerUid)) {
      return unreadable(path, "it belongs to another user", "Take the file over, or remove it");
    }
    const tooLarge = `it is larger than ${maxBytes} bytes`;
    if (found.size > maxBytes) return unreadable(path, tooLarge, TOO_LARGE);
    const bytes = readAtMost(path, maxBytes);
    if (bytes === null) return unreadable(path, tooLarge, TOO_LARGE);
    return { state: "loaded", path, ...decode(bytes) };
  } catch (thrown) {
    const errno = errnoOf(thrown);
    if (errno === "ENOENT" || errno === "ENOTDIR") return { state: "absent", path };
    return unreadable(path, errnoText(thrown), hintFor(errno));
  }
}

/** What is at a path, or the link there. @throws What the system says, but for an absent path. */
function lookedAt(how: "stat" | "link", path: string): Stats | undefined {
  let found: Stats | undefined;
  try {
    found = (how === "stat" ? statSync : lstatSync)(path, { throwIfNoEntry: false });
  } finally {
    noteLook({ how, path, found: found ?? null });
  }
  return found;
}

/**
 * The bytes of a file, or `null` when there are more than `most`. Files that the system makes up
 * say that they are empty and may never end (a repository can hold a link to one), so what was
 * said of the size is not relied on.
 */
function readAtMost(path: string, most: number): Uint8Array | null {
  // Without waiting, should a pipe have taken the file's place since it was looked at.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const chunks: Uint8Array[] = [];
    let size = 0;
    // Doubled up to 1 MiB: most configs are small and read in one go.
    for (let room = 16 * 1024;; room = Math.min(room * 2, 1024 * 1024)) {
      const buffer = new Uint8Array(room);
      const count = readSync(file, buffer, 0, room, null);
      if (count === 0) return joined(chunks, size);
      size += count;
      if (size > most) return null;
      chunks.push(buffer.subarray(0, count));
    }
  } finally {
    closeSync(file);
  }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** The answer for a file that is there and cannot be read. */
function unreadable(path: string, reason: string, hint: string | null = null): TextFile {
  const error = new HotplugError("config-unreadable", `Cannot read "${path}": ${reason}`, { hint });
  return { state: "unreadable", path, error: error.toInfo() };
}

function hintFor(errno: string | null): string | null {
  if (errno === "EACCES" || errno === "EPERM") return "Give yourself the right to read it";
  return errno === "ELOOP" ? "Replace the links, which lead to each other" : null;
}

/** The text of a file's bytes, and what was odd about them. */
function decode(bytes: Uint8Array): { text: string; notes: string[] } {
  const encoding = detectEncoding(bytes);
  // The decoder drops the byte order mark of its own encoding.
  if (encoding !== "utf-8") {
    const name = encoding === "utf-16le" ? "UTF-16 LE" : "UTF-16 BE";
    return {
      text: new TextDecoder(encoding).decode(bytes),
      notes: [`The file is ${name}; save it as UTF-8, which every program reads`],
    };
  }
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), notes: [] };
  } catch {
    return {
      text: new TextDecoder().decode(bytes),
      notes: ["The file holds bytes that are not UTF-8; they were replaced"],
    };
  }
}

/**
 * The encoding that the first bytes speak of: a byte order mark, or a zero byte beside the first
 * character. Config files begin with an ASCII character, in UTF-8 never with a zero byte.
 */
function detectEncoding(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return "utf-8";
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return "utf-16be";
  return "utf-8";
}

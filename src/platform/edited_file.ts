import { mkdir, readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import process from "node:process";

import { HotplugError } from "../model/errors.ts";
import { errnoOf, errnoText } from "./errno.ts";
import { withFileLock } from "./file_lock.ts";
import { linkTarget, replaceFile, writeFailure } from "./private_file.ts";
import { MAX_TEXT_BYTES } from "./text_file.ts";

/** Read and written by the user alone. */
const PRIVATE = 0o600;

/** A file's text before and after an edit. */
export interface EditedText {
  /** The text with its byte order mark, if it has one; `null` when there was no file. */
  readonly before: string | null;
  /** The text after the edit; the same when nothing changed. */
  readonly after: string;
}

/** How {@linkcode editFile} works. */
export interface EditFileOptions {
  /** `true`: only tells what the text would become. Default `false`. */
  readonly dryRun?: boolean;
  /** Rights of a file that the edit makes. Default 0600: what it holds may be a secret. */
  readonly newMode?: number;
  /** Ends the waiting for the file's lock. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Changes the text of a file that its user or another program owns, while no other process of
 * ours does the same. Rights, owner, byte order mark and links stay; readers see the old text or
 * the new one. Nothing is written when the text stays the same.
 *
 * @param change Gets the text, or `null` when there is no file. What it throws comes through, and
 * nothing is written.
 * @throws {HotplugError} `config-unreadable` when the file is there and cannot be read as UTF-8:
 * it is left as it is; `write-failed`; `aborted`.
 */
export async function editFile(
  path: string,
  change: (text: string | null) => string | Promise<string>,
  options: EditFileOptions = {},
): Promise<EditedText> {
  const target = await linkTarget(path).catch((cause: unknown) => {
    throw writeFailure(path, cause);
  });
  const edit = async (write: boolean): Promise<EditedText> => {
    const found = await readWhole(target);
    const before = found?.text ?? null;
    const after = await change(before);
    if (write && after !== before) {
      await put(path, target, after, found ?? options.newMode ?? PRIVATE);
    }
    return { before, after };
  };
  if (options.dryRun === true) return await edit(false);
  const { signal, newMode = PRIVATE } = options;
  // Made here with the right of the file; the lock would make it for its user alone.
  const folder = { recursive: true, mode: newMode === PRIVATE ? 0o700 : 0o755 };
  await mkdir(dirname(target), folder).catch((cause: unknown) => {
    throw writeFailure(path, cause);
  });
  // The lock lies beside the file itself, so that all its links share it.
  return await withFileLock(target, () => edit(true), signal === undefined ? {} : { signal });
}

/** A file as an edit needs it. */
interface WholeFile {
  readonly text: string;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** A file's text, byte for byte; `null` when there is none. */
async function readWhole(path: string): Promise<WholeFile | null> {
  try {
    const { mode, uid, gid, size } = await fileFacts(path);
    if (size > MAX_TEXT_BYTES) throw unreadable(path, `it is larger than ${MAX_TEXT_BYTES} bytes`);
    const bytes = await readFile(path);
    // Another encoding would come out as something else.
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, mode: mode & 0o7777, uid, gid };
  } catch (thrown) {
    const errno = errnoOf(thrown);
    if (errno === "ENOENT") return null;
    if (thrown instanceof HotplugError) throw thrown;
    if (thrown instanceof TypeError) throw unreadable(path, "it is not UTF-8", "Save it as UTF-8");
    throw unreadable(path, errnoText(thrown));
  }
}

/** What is at a path, which must be a file. */
async function fileFacts(
  path: string,
): Promise<
  { readonly mode: number; readonly uid: number; readonly gid: number; readonly size: number }
> {
  const facts = await stat(path);
  if (facts.isFile()) return facts;
  throw unreadable(path, facts.isDirectory() ? "it is a folder" : "it is not a regular file");
}

/** Writes the new text with the rights and the owner of the old one, or as a new file of a mode. */
async function put(
  path: string,
  target: string,
  text: string,
  found: WholeFile | number,
): Promise<void> {
  try {
    if (typeof found === "number") return await replaceFile(target, text, { mode: found });
    const { mode, uid, gid } = found;
    const isOwn = uid === process.getuid?.() && gid === process.getgid?.();
    const owner = isOwn || process.getuid === undefined ? undefined : { uid, gid };
    await replaceFile(target, text, { mode, owner });
  } catch (cause) {
    throw writeFailure(path, cause);
  }
}

function unreadable(path: string, reason: string, hint: string | null = null): HotplugError {
  return new HotplugError("config-unreadable", `Cannot edit "${path}": ${reason}`, {
    hint: hint ?? "It was left as it is",
  });
}

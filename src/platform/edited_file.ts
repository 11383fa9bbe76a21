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

/** How often an edit begins anew because another program changed the file meanwhile. */
const TRIES = 5;

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
  /**
   * Refuses the file that the path's links lead to, by throwing. Asked before anything is made, and
   * again before each writing. Default: any file is edited.
   */
  readonly guard?: ((target: string) => void) | undefined;
  /** Ends the waiting for the file's lock. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Changes the text of a file that its user or another program owns, while no other process of
 * ours does the same. Rights, owner, byte order mark and links stay; readers see the old text or
 * the new one. Nothing is written, and no folder is made, when the text stays the same.
 *
 * @param change Gets the text, or `null` when there is no file; called anew when another program
 * changed the file meanwhile. What it throws comes through, and nothing is written.
 * @throws {HotplugError} `config-unreadable` when the file is there and cannot be read as UTF-8:
 * it is left as it is; `edit-refused` when nobody may write it; `write-failed`; `aborted`.
 */
export async function editFile(
  path: string,
  change: (text: string | null) => string | Promise<string>,
  options: EditFileOptions = {},
): Promise<EditedText> {
  const { signal, newMode = PRIVATE, guard } = options;
  const target = await linkTarget(path).catch((cause: unknown) => {
    throw writeFailure(path, cause);
  });
  const look = async (): Promise<Looked> => {
    guard?.(target);
    const found = await readWhole(target);
    const before = found?.text ?? null;
    const after = await change(before);
    const isSame = after === (before ?? "");
    if (found !== null && !isSame) refuseReadOnly(target, found);
    return { found, before, after, isSame };
  };
  const write = async (): Promise<EditedText> => {
    for (let tries = TRIES; tries > 0; tries--) {
      const { found, before, after, isSame } = await look();
      if (isSame) return { before, after };
      // A program that knows no lock of ours may have written since.
      if ((await readWhole(target))?.text !== found?.text) continue;
      guard?.(target);
      await put(path, target, after, found ?? newMode);
      return { before, after };
    }
    throw new HotplugError(
      "write-failed",
      `Cannot edit "${path}": another program keeps changing it`,
      { hint: "End that program, and try again" },
    );
  };
  if (options.dryRun === true || await readWhole(target) === null) {
    const { before, after, isSame } = await look();
    if (options.dryRun === true || isSame) return { before, after };
  }
  guard?.(target);
  // Made here with the right of the file; the lock would make it for its user alone.
  const folder = { recursive: true, mode: newMode === PRIVATE ? 0o700 : 0o755 };
  await mkdir(dirname(target), folder).catch((cause: unknown) => {
    throw writeFailure(path, cause);
  });
  // The lock lies beside the file itself, so that all its links share it.
  return await withFileLock(target, write, signal === undefined ? {} : { signal });
}

/** A file, and what its text would become. */
interface Looked extends EditedText {
  readonly found: WholeFile | null;
  readonly isSame: boolean;
}

/** The rights say that the file is not to be written; to put another in its place would go around them. */
function refuseReadOnly(path: string, { mode }: WholeFile): void {
  if ((mode & 0o222) !== 0) return;
  throw new HotplugError("edit-refused", `Cannot edit "${path}": it is read-only`, {
    hint: "Give yourself the right to write it; it was left as it is",
  });
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
    if (errnoOf(thrown) === "ENOENT") return null;
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
    const isOwn = uid === process.getuid?.();
    const keeps = process.getuid === undefined || (isOwn && gid === process.getgid?.());
    const owner = keeps ? undefined : { uid, gid };
    try {
      await replaceFile(target, text, { mode, owner });
    } catch (thrown) {
      // A group that the user is not in cannot be given; the file stays the user's own.
      if (!isOwn || owner === undefined || errnoOf(thrown) !== "EPERM") throw thrown;
      await replaceFile(target, text, { mode });
    }
  } catch (cause) {
    throw writeFailure(path, cause);
  }
}

function unreadable(path: string, reason: string, hint: string | null = null): HotplugError {
  return new HotplugError("config-unreadable", `Cannot edit "${path}": ${reason}`, {
    hint: hint ?? "It was left as it is",
  });
}

import { lstat, mkdir, open, readlink, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

import { errorFromInfo, HotplugError } from "../model/errors.ts";
import { errnoOf, errnoText } from "./errno.ts";
import { withFileLock } from "./file_lock.ts";
import { readTextFile } from "./text_file.ts";

/** Links that are followed to the file itself; Linux follows as many. */
const MAX_LINKS = 40;

/** How {@linkcode writePrivateFile} writes. */
export interface WriteOptions {
  /**
   * Whether to wait until the disk holds the text, so that it outlasts a power failure. Default
   * `true`. With `false` such a failure may leave an empty or torn file, which suits what can be
   * found out again.
   */
  readonly lasting?: boolean;
}

/**
 * Writes a file that only its user can read (0600), whole or not at all: readers see the old text
 * or the new one. Missing folders are made (0700). A link stays and the file that it leads to is
 * written. Nothing is left behind when it fails.
 *
 * @throws {HotplugError} `write-failed`.
 */
export async function writePrivateFile(
  path: string,
  text: string,
  options: WriteOptions = {},
): Promise<void> {
  try {
    await replaceFile(await linkTarget(path), text, { mode: PRIVATE, ...options });
  } catch (cause) {
    throw writeFailure(path, cause);
  }
}

/** Read and written by the user alone. */
const PRIVATE = 0o600;

/**
 * Reads a private file, changes its text and writes it back, while no other process does the same.
 * Nothing is written when the text stays the same.
 *
 * @param change Gets the text, or `null` when there is no file. What it throws comes through, and
 * nothing is written.
 * @throws {HotplugError} `write-failed`; `config-unreadable` when the file is there and cannot be
 * read, which is then left as it is; `aborted`.
 */
export async function updatePrivateFile(
  path: string,
  change: (text: string | null) => string,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const target = await linkTarget(path).catch((cause: unknown) => {
    throw writeFailure(path, cause);
  });
  // The lock lies beside the file itself, so that all its links share it.
  await withFileLock(target, async () => {
    const file = await readTextFile(target);
    if (file.state === "unreadable") throw errorFromInfo(file.error);
    const before = file.state === "loaded" ? file.text : null;
    const after = change(before);
    if (after !== before) await writePrivateFile(target, after);
  }, options);
}

/**
 * The file behind a path: links are followed, also to a file that is not there yet.
 * @throws What the system says of links that cannot be followed.
 */
export async function linkTarget(path: string): Promise<string> {
  let target = resolve(path);
  for (let links = 0; links < MAX_LINKS; links++) {
    const next = await readLink(target);
    if (next === null) return target;
    target = resolve(dirname(target), next);
  }
  throw Object.assign(new Error("Too many links"), { code: "ELOOP" });
}

/** Where a link leads; `null` for what is not a link. */
async function readLink(path: string): Promise<string | null> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : null;
  } catch (thrown) {
    const errno = errnoOf(thrown);
    if (errno === "ENOENT" || errno === "ENOTDIR") return null;
    throw thrown;
  }
}

/** How {@linkcode replaceFile} writes. */
export interface ReplaceOptions extends WriteOptions {
  /** Rights of the file. */
  readonly mode: number;
  /** Owner and group of the file; absent: whoever writes. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
}

/**
 * Puts a new file in the place of a path that is no link, by way of a temp file beside it.
 * @throws What the system says; the old file is then as it was and nothing is left behind.
 */
export async function replaceFile(
  target: string,
  text: string,
  { lasting = true, mode, owner }: ReplaceOptions,
): Promise<void> {
  const folder = dirname(target);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temp = join(folder, `.${basename(target)}.${crypto.randomUUID()}.tmp`);
  try {
    // "wx" does not follow a link that somebody put there, and the mode holds from the first byte.
    const file = await open(temp, "wx", 0o600);
    try {
      await file.writeFile(text);
      if (owner !== undefined) await file.chown(owner.uid, owner.gid);
      // Rights that a mask took, or that a change of the owner would.
      if (mode !== PRIVATE) await file.chmod(mode);
      if (lasting) await file.sync();
    } finally {
      await file.close();
    }
    await rename(temp, target);
  } catch (thrown) {
    await rm(temp, { force: true }).catch(() => {});
    throw thrown;
  }
  if (lasting) await syncFolder(folder);
}

/** Makes a rename last over a power failure, where the system lets folders be opened. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, "r");
    await handle.sync().finally(() => handle.close());
  } catch {
    // The file is complete; only its name might be lost.
  }
}

/** A failure to write a file, in words. */
export function writeFailure(path: string, cause: unknown): HotplugError {
  if (cause instanceof HotplugError) return cause;
  const hint = errnoOf(cause) === "EACCES" ? "Give yourself the right to write there" : null;
  return new HotplugError("write-failed", `Cannot write "${path}": ${errnoText(cause)}`, {
    cause,
    hint,
  });
}

import { constants, type FileHandle, mkdir, open, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";

import { errnoOf } from "./errno.ts";
import { withFileLock } from "./file_lock.ts";
import { isRotationDue, logFiles } from "./log_place.ts";
import { sweepLogs } from "./log_sweep.ts";

/** Milliseconds to wait for another process that begins a new file. */
const ROTATION_WAIT_MS = 2_000;

/** Appending only; never through a link, never waiting for the reader of a pipe. */
const FLAGS = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY |
  (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Adds lines to a log that several processes may write to at once. The file is opened anew each
 * time, so that it is always the current one, and gets the lines in one piece at its end. A line of
 * another process that is rotating at that moment may land in the file before; none is lost.
 *
 * @param path The current file; it is made (0600, its folder 0700) when missing.
 * @param text Whole lines.
 * @param now Milliseconds since 1970.
 * @throws What the system says, such as `ENOSPC`.
 */
export async function appendLog(path: string, text: string, now: number): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  const { file, isNew } = await current(path, bytes.length);
  try {
    await writeWhole(file, bytes);
  } finally {
    await file.close();
  }
  if (isNew) await sweepLogs(dirname(path), now);
}

/** The file to append to, rotated before when it is full. */
async function current(
  path: string,
  added: number,
): Promise<{ readonly file: FileHandle; readonly isNew: boolean }> {
  const file = await opened(path);
  try {
    const facts = await file.stat();
    if (!facts.isFile()) throw Object.assign(new Error("It is no file"), { code: "EINVAL" });
    if (!isRotationDue(facts.size, added)) return { file, isNew: facts.size === 0 };
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
  await file.close();
  await rotate(path, added);
  return { file: await opened(path), isNew: true };
}

async function opened(path: string): Promise<FileHandle> {
  try {
    return await open(path, FLAGS, 0o600);
  } catch (thrown) {
    if (errnoOf(thrown) !== "ENOENT") throw thrown;
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  return await open(path, FLAGS, 0o600);
}

/** Moves each file of a log one further, unless another process has done so meanwhile. */
async function rotate(path: string, added: number): Promise<void> {
  await withFileLock(path, async () => {
    const size = await stat(path).then((found) => found.size, () => 0);
    if (!isRotationDue(size, added)) return;
    const files = logFiles(path);
    for (let age = files.length - 1; age > 0; age--) {
      const [from, to] = [files[age - 1], files[age]];
      if (from === undefined || to === undefined) continue;
      await rename(from, to).catch((thrown: unknown) => {
        if (errnoOf(thrown) !== "ENOENT") throw thrown;
      });
    }
  }, { timeoutMs: ROTATION_WAIT_MS });
}

/** One write, so that lines of other processes do not come between; more only when it fell short. */
async function writeWhole(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at);
    if (bytesWritten === 0) throw Object.assign(new Error("Nothing was written"), { code: "EIO" });
    at += bytesWritten;
  }
}

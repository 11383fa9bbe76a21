import { lstat, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

import { HotplugError } from "../model/errors.ts";
import { errnoOf, errnoText } from "./errno.ts";
import { isRunning, ownIdentity, type ProcessIdentity } from "./process_identity.ts";

/** How {@linkcode withFileLock} waits. */
export interface FileLockOptions {
  /** Ends the waiting; an action that has begun is not interrupted. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds to wait for the lock. Default 10,000. */
  readonly timeoutMs?: number | undefined;
}

/** Shortest and longest milliseconds between two tries. */
const PAUSE_MS = { shortest: 5, longest: 50 };

/**
 * Age in milliseconds at which a lock without a readable holder is left over: its holder stopped
 * between making the file and writing its name, which takes less than one.
 */
const BLANK_STALE_MS = 2_000;

/** Age at which a lock is left over whose holder cannot be looked up; locks are held for a moment. */
const FOREIGN_STALE_MS = 60_000;

/** What stands in a lock file: its holder, and a number that no other lock has. */
interface Holder extends ProcessIdentity {
  readonly nonce: string;
}

/**
 * Runs an action while no other process, and no other caller in this one, runs one under the same
 * path. The lock is a file beside the path, `<path>.lock`, which names its holder; the lock of a
 * process that has ended is taken over. It does not nest.
 *
 * @param path What is guarded; it need not exist. Its folder is made (0700) when missing.
 * @throws {HotplugError} `aborted`; `write-failed` when the lock cannot be made or is not free in
 * time. What the action throws comes through.
 */
export async function withFileLock<T>(
  path: string,
  action: () => Promise<T>,
  options: FileLockOptions = {},
): Promise<T> {
  const lock = `${path}.lock`;
  const holder: Holder = { ...ownIdentity(), nonce: crypto.randomUUID() };
  await acquire(lock, holder, options);
  try {
    return await action();
  } finally {
    // Not when another took it over meanwhile, thinking us gone.
    if ((await readHolder(lock))?.nonce === holder.nonce) {
      // What the action gave or threw matters more; a lock that stays is taken over later.
      await rm(lock, { force: true }).catch(() => {});
    }
  }
}

async function acquire(lock: string, holder: Holder, options: FileLockOptions): Promise<void> {
  const { signal, timeoutMs = 10_000 } = options;
  const deadline = performance.now() + timeoutMs;
  for (let pause = PAUSE_MS.shortest;; pause = Math.min(pause * 2, PAUSE_MS.longest)) {
    if (signal?.aborted) throw aborted(lock);
    if (await create(lock, JSON.stringify(holder))) return;
    if (await removeStale(lock)) continue;
    const left = deadline - performance.now();
    if (left <= 0) throw await timedOut(lock, timeoutMs);
    // A random part, so that two who wait do not keep meeting.
    await sleep(Math.min(left, pause * (0.5 + Math.random())), signal);
  }
}

/** Makes a file that must not be there yet; `false` when it is. */
async function create(file: string, text: string): Promise<boolean> {
  const write = (): Promise<void> => writeFile(file, text, { flag: "wx", mode: 0o600 });
  try {
    await write();
    return true;
  } catch (thrown) {
    if (errnoOf(thrown) === "EEXIST") return false;
    if (errnoOf(thrown) !== "ENOENT") throw cannotLock(file, thrown);
  }
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await write();
    return true;
  } catch (thrown) {
    if (errnoOf(thrown) === "EEXIST") return false;
    throw cannotLock(file, thrown);
  }
}

/**
 * Removes a lock whose holder is gone; `true` when the lock may be free now. Two who find the same
 * lock stale must not both remove it, or the second would remove the new lock of the first: only
 * who holds the takeover file of that very lock looks again and removes it.
 */
async function removeStale(lock: string): Promise<boolean> {
  const found = await readHolder(lock);
  const age = await ageOf(lock);
  if (age === null) return true;
  // A folder is how other programs lock the same file (Cline does); theirs to remove.
  if (!isStale(found, age) || !await isFile(lock)) return false;
  const takeover = `${lock}.${found?.nonce ?? "blank"}`;
  if (!await create(takeover, "")) {
    if ((await ageOf(takeover) ?? 0) > BLANK_STALE_MS) await rm(takeover, { force: true });
    return false;
  }
  try {
    const now = await readHolder(lock);
    const same = now?.nonce === found?.nonce && isStale(now, await ageOf(lock) ?? 0);
    if (same) await rm(lock, { force: true });
    return same;
  } finally {
    await rm(takeover, { force: true });
  }
}

function isStale(holder: Holder | null, age: number): boolean {
  if (holder === null) return age > BLANK_STALE_MS;
  const running = isRunning(holder);
  return running === null ? age > FOREIGN_STALE_MS : !running;
}

/** Who holds a lock; `null` when nobody does or the file does not say. */
async function readHolder(lock: string): Promise<Holder | null> {
  try {
    // Reading a pipe would wait for its writer.
    if (!(await lstat(lock)).isFile()) return null;
    const value: unknown = JSON.parse(await readFile(lock, "utf8"));
    return isHolder(value) ? value : null;
  } catch {
    return null;
  }
}

function isHolder(value: unknown): value is Holder {
  if (typeof value !== "object" || value === null) return false;
  return "space" in value && typeof value.space === "string" &&
    "pid" in value && typeof value.pid === "number" && value.pid > 0 &&
    "started" in value && typeof value.started === "string" &&
    // It becomes part of a file name.
    "nonce" in value && typeof value.nonce === "string" && /^[\da-f-]{1,64}$/.test(value.nonce);
}

async function isFile(path: string): Promise<boolean> {
  return await lstat(path).then((found) => found.isFile(), () => false);
}

/** Milliseconds since a file was written; `null` when it is not there. */
async function ageOf(file: string): Promise<number | null> {
  try {
    return Date.now() - (await lstat(file)).mtimeMs;
  } catch {
    return null;
  }
}

/** Waits; rejects with `aborted` when the signal fires. */
function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    const stop = (): void => {
      clearTimeout(timer);
      reject(new HotplugError("aborted", "Cannot wait for a lock: the caller gave up"));
    };
    signal?.addEventListener("abort", stop, { once: true });
  });
}

function aborted(lock: string): HotplugError {
  return new HotplugError("aborted", `Cannot lock "${lock}": the caller gave up`);
}

function cannotLock(file: string, cause: unknown): HotplugError {
  return new HotplugError("write-failed", `Cannot lock "${file}": ${errnoText(cause)}`, {
    cause,
    hint: "Give yourself the right to write to its folder",
  });
}

async function timedOut(lock: string, timeoutMs: number): Promise<HotplugError> {
  const holder = await readHolder(lock);
  const who = holder === null ? "another program" : `process ${holder.pid}`;
  return new HotplugError("write-failed", `Cannot lock "${lock}": ${who} holds it`, {
    hint: `Try again; it was not free within ${timeoutMs / 1_000} s`,
  });
}

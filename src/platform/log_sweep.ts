import { readdir, stat, unlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** How often the folder is looked through: once a day, in milliseconds. */
const SWEEP_EVERY_MS = 24 * 60 * 60 * 1000;

/** How long a log is kept that nothing was added to: 30 days. */
export const LOG_KEPT_MS: number = 30 * 24 * 60 * 60 * 1000;

/** Empty file whose time says when the folder was looked through last. */
const MARKER = "last-sweep";

/** A file of the folder. */
export interface SweptFile {
  /** Its name. */
  readonly name: string;
  /** When it was last written, in milliseconds since 1970. */
  readonly writtenAt: number;
}

/** Which files have to go; what is no log is none of ours. */
export function logsToSweep(files: readonly SweptFile[], now: number): readonly string[] {
  return files.filter(({ name, writtenAt }) =>
    /\.jsonl(?:\.[1-9]|\.lock)?$/.test(name) && now - writtenAt > LOG_KEPT_MS
  ).map(({ name }) => name);
}

/**
 * Removes old logs, at most once a day; on all other days it costs one look at one file. Never
 * rejects: a folder that cannot be swept only takes room.
 */
export async function sweepLogs(folder: string, now: number): Promise<void> {
  try {
    const marker = join(folder, MARKER);
    const last = await stat(marker).then(({ mtimeMs }) => mtimeMs, () => null);
    if (last !== null && Math.abs(now - last) < SWEEP_EVERY_MS) return;
    await writeFile(marker, "", { mode: 0o600 });
    await utimes(marker, now / 1000, now / 1000);
    const files = await Promise.all((await readdir(folder)).map(async (name) => {
      const writtenAt = await stat(join(folder, name)).then(({ mtimeMs }) => mtimeMs, () => now);
      return { name, writtenAt };
    }));
    for (const name of logsToSweep(files, now)) await unlink(join(folder, name));
  } catch {
    // Another process sweeps too, or the folder is not ours to clean.
  }
}

import { readdir, stat, unlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** How often the folder is looked through: once a day, in milliseconds. */
const SWEEP_EVERY_MS = 24 * 60 * 60 * 1000;

/** How long an entry is kept that nobody wrote anew: 30 days. Servers in use are written daily. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Bytes that all entries may take together: 128 MiB, several hundred of the largest known lists. */
const MAX_TOTAL_BYTES = 128 * 1024 * 1024;

/** Empty file whose time says when the folder was looked through last. */
const MARKER = "last-sweep";

/** One entry's file. */
export interface EntryFile {
  /** Name of the file. */
  readonly name: string;
  /** Its size in bytes. */
  readonly size: number;
  /** When it was last written, in milliseconds since 1970. */
  readonly writtenAt: number;
}

/** Which files have to go: those that are too old, then the oldest until the rest is small enough. */
export function filesToSweep(files: readonly EntryFile[], now: number): readonly string[] {
  let room = MAX_TOTAL_BYTES;
  return files.toSorted((a, b) => b.writtenAt - a.writtenAt).filter((file) => {
    room -= file.size;
    return room < 0 || now - file.writtenAt > KEPT_MS;
  }).map(({ name }) => name);
}

/**
 * Removes old entries, at most once a day; on all other days it costs one look at one file. Never
 * rejects: a folder that cannot be swept only takes room.
 */
export async function sweepEntries(folder: string, now: number): Promise<void> {
  try {
    const marker = join(folder, MARKER);
    const last = await stat(marker).then(({ mtimeMs }) => mtimeMs, () => null);
    if (last !== null && Math.abs(now - last) < SWEEP_EVERY_MS) return;
    await writeFile(marker, "", { mode: 0o600 });
    await utimes(marker, now / 1000, now / 1000);
    const names = (await readdir(folder)).filter((name) => /^[0-9a-f]+\.json$/.test(name));
    const files = await Promise.all(names.map(async (name): Promise<EntryFile[]> => {
      try {
        const { size, mtimeMs } = await stat(join(folder, name));
        return [{ name, size, writtenAt: mtimeMs }];
      } catch {
        return [];
      }
    }));
    for (const name of filesToSweep(files.flat(), now)) await unlink(join(folder, name));
  } catch {
    // Another process sweeps too, or the folder is not ours to clean.
  }
}

import { readdir, stat, unlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** How often a folder is looked through: once a day, in milliseconds. */
const SWEEP_EVERY_MS = 24 * 60 * 60 * 1000;

/** Empty file whose time says when the folder was looked through last. */
const MARKER = "last-sweep";

/** A file of the folder. */
export interface SweptFile {
  /** Its name. */
  readonly name: string;
  /** Its size in bytes. */
  readonly size: number;
  /** When it was last written, in milliseconds since 1970. */
  readonly writtenAt: number;
}

/**
 * Removes files of a folder, at most once a day; on all other days it costs one look at one file.
 * Never rejects: a folder that cannot be swept only takes room.
 *
 * @param now Milliseconds since 1970.
 * @param choose Names of the files that have to go, out of all that are there.
 */
export async function sweepDaily(
  folder: string,
  now: number,
  choose: (files: readonly SweptFile[], now: number) => readonly string[],
): Promise<void> {
  try {
    const marker = join(folder, MARKER);
    const last = await stat(marker).then(({ mtimeMs }) => mtimeMs, () => null);
    if (last !== null && Math.abs(now - last) < SWEEP_EVERY_MS) return;
    await writeFile(marker, "", { mode: 0o600 });
    await utimes(marker, now / 1000, now / 1000);
    const files = await Promise.all((await readdir(folder)).map(async (name) => {
      const found = await stat(join(folder, name)).catch(() => null);
      return found === null ? [] : [{ name, size: found.size, writtenAt: found.mtimeMs }];
    }));
    for (const name of choose(files.flat(), now)) await unlink(join(folder, name));
  } catch {
    // Another process sweeps too, or the folder is not ours to clean.
  }
}

import { sweepDaily, type SweptFile } from "../platform/daily_sweep.ts";

/** How long an entry is kept that nobody wrote anew: 30 days. Servers in use are written daily. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Bytes that all entries may take together: 128 MiB, several hundred of the largest known lists. */
const MAX_TOTAL_BYTES = 128 * 1024 * 1024;

/**
 * Which entries have to go: those that are too old, then the oldest until the rest is small enough.
 * What is no entry is none of ours.
 */
export function filesToSweep(files: readonly SweptFile[], now: number): readonly string[] {
  const entries = files.filter(({ name }) => /^[0-9a-f]+\.json$/.test(name));
  let room = MAX_TOTAL_BYTES;
  return entries.toSorted((a, b) => b.writtenAt - a.writtenAt).filter((file) => {
    room -= file.size;
    return room < 0 || now - file.writtenAt > KEPT_MS;
  }).map(({ name }) => name);
}

/** Removes old entries, at most once a day. Never rejects. */
export async function sweepEntries(folder: string, now: number): Promise<void> {
  await sweepDaily(folder, now, filesToSweep);
}

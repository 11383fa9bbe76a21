import { setTimeout as delay } from "node:timers/promises";

import { type MarkedProcess, markedProcesses, signalProcess } from "./marked_processes.ts";
import { isRunning, type ProcessIdentity } from "./process_identity.ts";

/**
 * Ends what servers left behind whose host was killed before it could end them: SIGTERM, and
 * SIGKILL for what still runs after the grace. Linux only, and only processes that this user may
 * signal.
 *
 * @param graceMs Milliseconds between the two. Default 1,000.
 * @returns How many processes there were.
 */
export async function endOrphans(graceMs: number = 1_000): Promise<number> {
  const orphans = markedProcesses().filter(isOrphan);
  for (const { pid } of orphans) signalProcess(pid, "SIGTERM");
  if (orphans.length === 0) return 0;
  await delay(graceMs);
  const pids = new Set(orphans.map(({ pid }) => pid));
  // Looked up again, as an id may be another process by now.
  for (const left of markedProcesses()) {
    if (pids.has(left.pid) && isOrphan(left)) signalProcess(left.pid, "SIGKILL");
  }
  return orphans.length;
}

/** Whether the process that made the mark has surely ended; when it cannot be told, it lives. */
function isOrphan(found: MarkedProcess): boolean {
  const maker = markMaker(found.mark);
  return maker !== null && isRunning(maker) === false;
}

/** Who made a mark, read from it; `null` when it is not one that `newMark()` makes. */
export function markMaker(mark: string): ProcessIdentity | null {
  const match = /(?:^|\/)([^/]+)-(\d+)-(\d+)-[\da-f.]+$/.exec(mark);
  const [, space, pid, started] = match ?? [];
  if (space === undefined || pid === undefined || started === undefined) return null;
  return { space, pid: Number(pid), started };
}

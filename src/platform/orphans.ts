import { type MarkedProcess, markedProcesses, signalProcess } from "./marked_processes.ts";
import { endedWithin } from "./ended_within.ts";
import { processStat } from "./linux_processes.ts";
import { isRunning, type ProcessIdentity } from "./process_identity.ts";

/** Most milliseconds that the system needs to clear away what was killed. */
const KILL_MS = 500;

/** Gateways under gateways whose servers become orphans one after the other. */
const MOST_ROUNDS = 4;

/**
 * Ends what servers left behind whose host was killed before it could end them: SIGTERM, and
 * SIGKILL for what still runs after the grace. Found by their marks: Linux only, and only processes
 * that this user may signal.
 *
 * @param graceMs Most milliseconds between the two. Default 1,000.
 * @returns How many processes there were.
 */
export async function endOrphans(graceMs: number = 1_000): Promise<number> {
  const met = new Set<number>();
  for (let round = 0; round < MOST_ROUNDS; round++) {
    // An orphan that was a host itself, and had to be killed, leaves orphans of its own.
    const orphans = markedProcesses().filter((found) => isOrphan(found) && !met.has(found.pid));
    if (orphans.length === 0) break;
    for (const { pid } of orphans) {
      met.add(pid);
      signalProcess(pid, "SIGTERM");
    }
    const started = new Map(orphans.map(({ pid }) => [pid, processStat(pid)?.started]));
    const runs = (): boolean => orphans.some(({ pid }) => processStat(pid)?.ended === false);
    await endedWithin(graceMs, runs);
    // Looked up again, as an id may be another process by now.
    for (const { pid } of markedProcesses().filter(isOrphan)) {
      if (started.has(pid) && processStat(pid)?.started === started.get(pid)) {
        signalProcess(pid, "SIGKILL");
      }
    }
    // Only then do those whose host it was count as orphans.
    await endedWithin(KILL_MS, runs);
  }
  return met.size;
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

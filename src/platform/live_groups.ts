import process from "node:process";

import { isMarkUnder, MARK_VARIABLE, markedProcesses, signalProcess } from "./marked_processes.ts";
import { ownIdentity } from "./process_identity.ts";
import { RunRecord } from "./run_record.ts";

/** What a group gets when this process ends without ending it. */
export type LastSignal = "SIGKILL" | "SIGTERM";

/** What must be known of a process group to kill it. */
export interface LiveGroup {
  /** Id of its first process. */
  readonly pid: number;
  /** Sends a signal to all of it; must not throw. */
  signal(name: LastSignal): boolean;
}

/** How the processes of a group are known. */
export interface GroupTraces {
  /** The mark they carry; empty for none. */
  readonly mark: string;
  /** Folder in which the group is recorded; absent: it is not. */
  readonly records?: string | undefined;
  /** Default SIGKILL. SIGTERM is for a program that passes it on to what is no child of it. */
  readonly lastSignal?: LastSignal | undefined;
}

/** The groups that this process started and has not ended. */
const live = new Map<LiveGroup, GroupTraces>();

/** What this process has recorded, by folder. */
const records = new Map<string, RunRecord>();

let watching = false;
let made = 0;

/**
 * Tells apart the copies of this module in one process: each worker thread has its own, and so has
 * each version of this package. All share the process id, and none may end what another one runs.
 */
const COPY = crypto.randomUUID().slice(0, 8);

/**
 * A mark that no other server of this machine carries: it names this process, the copy of this
 * module in it, and counts on. Under
 * a process that carries a mark itself (a gateway that is some host's server) it begins with that,
 * so that the outer host finds these processes too.
 */
export function newMark(): string {
  const { space, pid, started } = ownIdentity();
  const own = [space, pid, started, `${COPY}.${++made}`].join("-");
  const outer = process.env[MARK_VARIABLE] ?? "";
  return outer === "" ? own : `${outer}/${own}`;
}

/**
 * Counts a group as running until {@linkcode releaseGroup}. What still runs when this process
 * ends gets its last signal at that moment, together with the processes that carry its mark.
 * A process that is itself killed by a signal without a handler gets no such moment: programs must
 * handle SIGINT, SIGTERM and SIGHUP.
 */
export function trackGroup(group: LiveGroup, traces: GroupTraces): void {
  const { mark, records: folder, lastSignal } = traces;
  live.set(group, { mark, records: folder, lastSignal });
  if (folder !== undefined) recordIn(folder).add(group.pid);
  if (watching) return;
  watching = true;
  process.on("exit", killLiveGroups);
  // Deno sends no "exit" for `Deno.exit` or for an uncaught error; these two stand in.
  if (typeof globalThis.addEventListener === "function") {
    globalThis.addEventListener("unload", killLiveGroups);
  }
  process.on("uncaughtExceptionMonitor", (_error: unknown, origin: string) => {
    const handled = process.listenerCount("uncaughtException") > 0 ||
      (origin === "unhandledRejection" && process.listenerCount("unhandledRejection") > 0);
    if (!handled) killLiveGroups();
  });
}

/** Forgets a group that has ended. */
export function releaseGroup(group: LiveGroup): void {
  const folder = live.get(group)?.records;
  live.delete(group);
  if (folder !== undefined) recordIn(folder).remove(group.pid);
}

function recordIn(folder: string): RunRecord {
  const record = records.get(folder) ?? new RunRecord(folder, COPY);
  records.set(folder, record);
  return record;
}

/** Synchronous, as a process that ends waits for nothing. */
function killLiveGroups(): void {
  const ended = [...live].map(([group, { mark, lastSignal = "SIGKILL" }]) => {
    group.signal(lastSignal);
    return { mark, lastSignal };
  });
  for (const [group, { lastSignal }] of live) {
    // What may live on stays recorded.
    if (lastSignal !== "SIGTERM") releaseGroup(group);
  }
  live.clear();
  const marked = ended.filter(({ mark }) => mark !== "");
  if (marked.length === 0) return;
  for (const { pid, mark } of markedProcesses()) {
    const own = marked.find((group) => isMarkUnder(mark, group.mark));
    if (own !== undefined) signalProcess(pid, own.lastSignal);
  }
}

import process from "node:process";

import { processIds, processStat, processVariable } from "./linux_processes.ts";

/** The variable by which every process that a server starts is known, wherever it went. */
export const MARK_VARIABLE = "HOTPLUG_SERVER";

/** A running process that carries a mark. */
export interface MarkedProcess {
  /** Its process id. */
  readonly pid: number;
  /** Id of its process group. */
  readonly group: number;
  /** The mark it carries. */
  readonly mark: string;
}

/**
 * Least milliseconds between two looks by {@linkcode markedProcessesSoon}. One look blocks for
 * about 6 ms per hundred processes of the machine, and twenty servers end at nearly one moment.
 */
const LOOK_GAP_MS = 15;

let lastLook = -Infinity;
let nextLook: Promise<readonly MarkedProcess[]> | null = null;

/** All running processes but this one that carry a mark. Linux only; elsewhere there are none. */
export function markedProcesses(): readonly MarkedProcess[] {
  const found: MarkedProcess[] = [];
  if (process.platform !== "linux") return found;
  for (const pid of processIds()) {
    const mark = pid === process.pid ? null : processVariable(pid, MARK_VARIABLE);
    if (mark === null || mark === "") continue;
    const stat = processStat(pid);
    if (stat !== null && !stat.ended) found.push({ pid, group: stat.group, mark });
  }
  return found;
}

/** The same as they are a moment after the call; callers of nearly one moment share one look. */
export function markedProcessesSoon(): Promise<readonly MarkedProcess[]> {
  nextLook ??= new Promise((resolve) => {
    const wait = Math.max(0, lastLook + LOOK_GAP_MS - performance.now());
    setTimeout(() => {
      nextLook = null;
      lastLook = performance.now();
      resolve(markedProcesses());
    }, wait);
  });
  return nextLook;
}

/** Whether a mark is another one, or was made by a process that carries that one. */
export function isMarkUnder(carried: string, mark: string): boolean {
  return carried === mark || carried.startsWith(`${mark}/`);
}

/** Sends a signal to one process; `false` when it is gone or not ours. */
export function signalProcess(pid: number, name: "SIGTERM" | "SIGKILL"): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

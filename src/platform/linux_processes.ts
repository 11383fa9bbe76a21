import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import process from "node:process";

/** What Linux tells of one process. */
export interface ProcessStat {
  /** `true` when it has ended and only waits for its parent to notice. */
  readonly ended: boolean;
  /** Id of its process group. */
  readonly group: number;
  /** When it started, in ticks since the machine did; tells apart two processes of one id. */
  readonly started: string;
}

let sees: boolean | null = null;

/**
 * Whether `/proc` tells of the processes that this one can signal. In a container that has the
 * `/proc` of its host the ids there are others: what is read of one must not be done to another.
 */
export function seesProcesses(): boolean {
  sees ??= ownIdInProc() === String(process.pid);
  return sees;
}

function ownIdInProc(): string {
  try {
    return readlinkSync("/proc/self");
  } catch {
    return "";
  }
}

/** Ids of all processes that can be seen; empty on a system without `/proc`. */
export function processIds(): number[] {
  if (!seesProcesses()) return [];
  try {
    return readdirSync("/proc").map(Number).filter((pid) => pid > 0);
  } catch {
    return [];
  }
}

/** What is known of a process; `null` when it is gone, or on a system without `/proc`. */
export function processStat(pid: number): ProcessStat | null {
  // These files are made up by the kernel as they are read: nothing waits for a disk.
  const text = readProcFile(pid, "stat");
  // The second field is the program's name in parentheses and may hold any character.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, , group] = fields;
  const started = fields[19];
  if (state === undefined || group === undefined || started === undefined) return null;
  return { ended: state === "Z" || state === "X", group: Number(group), started };
}

/** The value that a variable had when a process started; `null` when it had none or is hidden. */
export function processVariable(pid: number, name: string): string | null {
  const environment = readProcFile(pid, "environ");
  const start = environment.startsWith(`${name}=`) ? 0 : environment.indexOf(`\0${name}=`) + 1;
  if (start === 0 && !environment.startsWith(`${name}=`)) return null;
  const end = environment.indexOf("\0", start);
  return environment.slice(start + name.length + 1, end < 0 ? undefined : end);
}

function readProcFile(pid: number, file: "stat" | "environ"): string {
  if (!seesProcesses()) return "";
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}

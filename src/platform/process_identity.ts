import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import process from "node:process";

import { processStat } from "./linux_processes.ts";

/** Names one process for good, also after its id went to another one. Plain data. */
export interface ProcessIdentity {
  /**
   * Where its id counts: on Linux the process namespace and the machine's run since it was switched
   * on, else the name of the machine.
   */
  readonly space: string;
  /** Its process id. */
  readonly pid: number;
  /** When it started, in the system's own unit; empty when the system does not say. */
  readonly started: string;
}

/** The identity of this process. */
export function ownIdentity(): ProcessIdentity {
  return { space: ownSpace(), pid: process.pid, started: processStat(process.pid)?.started ?? "" };
}

/**
 * Whether a process still runs; `null` when that cannot be told from here, as it belongs to
 * another container or machine that shares a folder with this one.
 */
export function isRunning(identity: ProcessIdentity): boolean | null {
  if (identity.space !== ownSpace()) return null;
  const stat = processStat(identity.pid);
  if (stat !== null) {
    return !stat.ended && (identity.started === "" || stat.started === identity.started);
  }
  return processExists(identity.pid);
}

/** Whether an id belongs to a process, or for a negative number to a process group. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // Someone else's process is a process all the same.
    return thrown instanceof Error && "code" in thrown && thrown.code === "EPERM";
  }
}

let space: string | null = null;

/**
 * Every Linux machine gives its first namespace the same number, and a home folder can be shared
 * by machines: the id of the boot tells them apart.
 */
function ownSpace(): string {
  space ??= linuxSpace() ?? hostname();
  return space;
}

function linuxSpace(): string | null {
  try {
    const namespace = readlinkSync("/proc/self/ns/pid").replace(/\D/g, "");
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    return `${namespace}.${boot.slice(0, 13)}`;
  } catch {
    return null;
  }
}

import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import process from "node:process";
import type { Readable, Writable } from "node:stream";

import { commandInterpreter, launchLine, taskKillLine } from "./launch_line.ts";
import { processIds, processStat, seesProcesses } from "./linux_processes.ts";
import { type LastSignal, trackGroup } from "./live_groups.ts";
import { MARK_VARIABLE } from "./marked_processes.ts";
import { processExists } from "./process_identity.ts";
import { startFailure } from "./start_failure.ts";

/** How the first process of a group ended. */
export interface ProcessExit {
  /** Its exit status; `null` when a signal ended it. */
  readonly code: number | null;
  /** The signal that ended it; `null` when it ended by itself. */
  readonly signal: string | null;
}

/** A signal that a group can be sent. */
export type GroupSignal = "SIGTERM" | "SIGKILL" | "SIGINT";

/**
 * A program and whatever it starts, as one thing to talk to and to end. It runs until it ends by
 * itself or `endGroup()` ends it; who spawns a group calls that once, also when the program has
 * ended, since what it started may live on.
 */
export interface ProcessGroup {
  /** Id of the first process, and of the group. */
  readonly pid: number;
  /** Input of the first process. A failing write emits no unhandled error. */
  readonly stdin: Writable;
  /** Its output; paused until it is read. */
  readonly stdout: Readable;
  /** Its error output; paused until it is read, and the program stops when 64 KiB are unread. */
  readonly stderr: Readable;
  /** Settles when the first process has ended; never rejects. Output may still be unread then. */
  readonly exited: Promise<ProcessExit>;
  /** Whether any process of the group runs. */
  isAlive(): boolean;
  /** Sends a signal to all processes of the group; `false` when there is none. Never throws. */
  signal(name: GroupSignal): boolean;
}

/** What {@linkcode spawnGroup} starts. */
export interface SpawnGroupOptions {
  /** Absolute path of the program. */
  readonly program: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** Working folder, absolute. */
  readonly cwd: string;
  /** The whole environment: nothing is inherited beside it. */
  readonly env: Readonly<Record<string, string>>;
  /** What all its processes are known by (see `newMark()`); empty for a group without a mark. */
  readonly mark: string;
  /** Folder in which it is recorded while it runs (see `RunRecord`). Default: it is not. */
  readonly records?: string | undefined;
  /** What it gets when this process ends without ending it. Default SIGKILL. */
  readonly lastSignal?: LastSignal | undefined;
}

/**
 * Starts a program in a process group of its own, its three streams as pipes.
 *
 * @throws {HotplugError} `program-not-found` when the program is not there or cannot be run;
 * `config-invalid` when the working folder is not there or an argument cannot be passed;
 * `internal` when the system has no room for another process.
 */
export async function spawnGroup(options: SpawnGroupOptions): Promise<ProcessGroup> {
  const env = options.mark === "" ? options.env : { ...options.env, [MARK_VARIABLE]: options.mark };
  const line = launchLine(options.program, options.args, {
    platform: process.platform,
    interpreter: commandInterpreter(process.env),
  });
  let child: ChildProcessWithoutNullStreams;
  try {
    child = spawn(line.file, line.args, {
      cwd: options.cwd,
      env,
      stdio: ["pipe", "pipe", "pipe"],
      // Windows would open a console window for a detached program, and knows no groups.
      detached: process.platform !== "win32",
      windowsHide: true,
      windowsVerbatimArguments: line.verbatim,
    });
  } catch (cause) {
    throw await startFailure(options, cause);
  }
  const { pid } = child;
  if (pid === undefined) throw await startFailure(options, await firstError(child));
  const group = childGroup(child, pid);
  // At once, so that there is no moment in which our own end would forget it.
  trackGroup(group, options);
  return group;
}

/** The group of a child that has a process id. */
function childGroup(child: ChildProcessWithoutNullStreams, pid: number): ProcessGroup {
  let ended = false;
  // Once the group is empty its id may go to a stranger; from then on nothing is sent to it.
  let gone = false;
  const isAlive = (): boolean => {
    if (!ended) return true;
    gone ||= !hasMembers(pid);
    return !gone;
  };
  // `exit` comes when the process ends; `close` would wait for whoever else holds its pipes.
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once("exit", (code, signal) => {
      ended = true;
      isAlive();
      resolve({ code, signal });
    });
  });
  // The end of a pipe is seen by `exited`, a failed write by its own callback.
  for (const emitter of [child, child.stdin, child.stdout, child.stderr]) {
    emitter.on("error", () => {});
  }
  return {
    pid,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    exited,
    isAlive,
    signal: (name) => isAlive() && signalGroup(pid, name),
  };
}

/**
 * Sends a signal to a group; `false` when there is none, or none that we may signal. By number and not through the child object: under Deno that object
 * sends one signal only, and a server that ignores it would never be killed.
 */
export function signalGroup(pid: number, name: GroupSignal): boolean {
  if (process.platform === "win32") {
    const line = taskKillLine(pid, process.env["SystemRoot"]);
    return spawnSync(line.file, line.args, { stdio: "ignore", windowsHide: true }).status === 0;
  }
  for (const target of [-pid, pid]) {
    try {
      return process.kill(target, name);
    } catch {
      // No such group, or none that we may signal: the process alone is tried.
    }
  }
  return false;
}

/** Whether any process of a group runs whose first one has ended. */
function hasMembers(pid: number): boolean {
  if (process.platform === "win32") return processExists(pid);
  if (!processExists(-pid)) return false;
  if (!seesProcesses()) return true;
  // Ended processes that nobody reaps, as in a container without an init, still count for `kill`.
  return processIds().some((member) => {
    const stat = processStat(member);
    return stat !== null && stat.group === pid && !stat.ended;
  });
}

/** Why a child has no process id. */
function firstError(child: ChildProcessWithoutNullStreams): Promise<unknown> {
  return new Promise((resolve) => child.once("error", resolve));
}

import { execFile } from "node:child_process";
import { win32 } from "node:path";
import process from "node:process";

import { processStat, seesProcesses } from "./linux_processes.ts";

/** Runs a system's program and gives what it prints; nothing when it fails. */
export type AskSystem = (
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
) => Promise<string>;

/** How {@linkcode processStarts} finds out; by default as this system does. */
export interface StartSources {
  /** Operating system, in Node's names. */
  readonly platform: string;
  /** Whether `/proc` can be read. */
  readonly proc: boolean;
  /** Windows' own folder. */
  readonly systemRoot: string | undefined;
  /** Runs a program. */
  readonly ask: AskSystem;
}

/** In place of a start: the process has ended, and nobody has waited for it. */
const ENDED = "ended";

/** Milliseconds that the system's program gets. */
const ASK_MS = 5_000;

/**
 * When processes started, in texts that {@linkcode isSameStart} compares: what `/proc` says on
 * Linux, else `@` and the milliseconds since 1970. That of a process which has ended is like no
 * other. Of those that are not there, and where the system does not say, there is nothing.
 */
export async function processStarts(
  pids: readonly number[],
  sources: Partial<StartSources> = {},
): Promise<ReadonlyMap<number, string>> {
  const {
    platform = process.platform,
    proc = seesProcesses(),
    systemRoot = process.env["SystemRoot"],
    ask = askSystem,
  } = sources;
  const starts = new Map<number, string>();
  if (pids.length === 0) return starts;
  if (proc) {
    for (const pid of pids) {
      const stat = processStat(pid);
      if (stat !== null) starts.set(pid, stat.ended ? ENDED : stat.started);
    }
    return starts;
  }
  const lines = platform === "win32"
    ? await ask(...powerShellLine(pids, systemRoot))
    : await ask("/bin/ps", ["-o", "pid=,stat=,lstart=", "-p", pids.join(",")], {
      // The month in English, and an hour that no change of the clocks repeats.
      LC_ALL: "C",
      TZ: "UTC0",
    });
  for (const line of lines.split("\n")) {
    const [, pid, state = "", when = ""] =
      /^\s*(\d+)\s+(?:([A-Z]\S*)\s+)?(\S.*\S)\s*$/.exec(line) ?? [];
    const time = Date.parse(platform === "win32" ? when : `${when} UTC`);
    if (!Number.isNaN(time)) starts.set(Number(pid), state.startsWith("Z") ? ENDED : `@${time}`);
  }
  return starts;
}

/** When a process started that was started just now. */
export function startOfNew(pid: number): string {
  return processStat(pid)?.started ?? `@${Date.now()}`;
}

/** When this process started. */
export function ownStart(): string {
  return processStat(process.pid)?.started ??
    `@${Math.round(Date.now() - process.uptime() * 1_000)}`;
}

/**
 * Whether two texts tell of the same start.
 *
 * @param withinMs By how much they may differ where they are times of the clock: one was read
 * shortly after the start, and some systems tell whole seconds.
 */
export function isSameStart(recorded: string, found: string, withinMs: number): boolean {
  if (!recorded.startsWith("@") || !found.startsWith("@")) return recorded === found;
  return Math.abs(Number(recorded.slice(1)) - Number(found.slice(1))) <= withinMs;
}

function powerShellLine(
  pids: readonly number[],
  systemRoot: string | undefined,
): Parameters<AskSystem> {
  const root = systemRoot !== undefined && win32.isAbsolute(systemRoot)
    ? systemRoot
    : "C:\\Windows";
  const script = `Get-Process -Id ${pids.join(",")} -ErrorAction SilentlyContinue | ` +
    "ForEach-Object { '{0} {1:yyyy-MM-ddTHH:mm:ss.fffZ}' -f $_.Id, $_.StartTime.ToUniversalTime() }";
  return [
    win32.join(root, "System32", "WindowsPowerShell", "v1.0", "powershell.exe"),
    ["-NoProfile", "-NonInteractive", "-Command", script],
    { SystemRoot: root },
  ];
}

function askSystem(...[file, args, env]: Parameters<AskSystem>): Promise<string> {
  return new Promise((resolve) => {
    const options = { env, timeout: ASK_MS, windowsHide: true };
    // `ps` fails when one of several does not run, and still tells of the others.
    execFile(file, args, options, (_error, stdout) => resolve(stdout));
  });
}

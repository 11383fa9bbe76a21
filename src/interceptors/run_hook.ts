import { basename } from "node:path";
import { maskText, secretValues } from "../definitions/secrets.ts";
import { HotplugError, isAbortError, throwIfAborted, toHotplugError } from "../model/errors.ts";
import type { HookProgram } from "../model/hook_program.ts";
import type { JsonObject } from "../model/json.ts";
import type { HotplugFolders, Machine } from "../model/machine.ts";
import { type CapturedRun, type CapturedRunOptions, captureRun } from "../platform/captured_run.ts";
import { newMark } from "../platform/live_groups.ts";
import { factsOf } from "../platform/local_files.ts";
import { resolveProgram } from "../platform/program.ts";
import { recordsFolder } from "../platform/run_record.ts";
import { hookEnvironment } from "./hook_environment.ts";
import { Turns } from "./turns.ts";

/** Bytes that a hook may print: arguments of a call, or definitions of servers. */
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

/** Characters of stderr that an error carries. */
const MAX_STDERR = 1_000;

/** Tells a program of ours that it runs in a hook, and how deep. */
const DEPTH_VARIABLE = "HOTPLUG_HOOK_DEPTH";

/** Hooks within hooks that are run: one whose program starts servers itself asks itself again. */
const MAX_DEPTH = 3;

/**
 * Hooks that run at one time in this process: each needs descriptors, and thousands of calls at once
 * would else be stopped because there are none left.
 */
const TURNS = new Turns(32);

/** Where hooks run. */
export interface HookMachine {
  /** The machine: environment, home, platform. */
  readonly machine: Machine;
  /** Hotplug's own folders. */
  readonly folders: HotplugFolders;
}

/** A hook's program and the place of its entry, for messages. */
export function shownHook({ command, path, line }: HookProgram): string {
  const place = line === null ? path : `${path}:${line}`;
  return `"${basename(command)}" (${place})`;
}

/**
 * Runs a hook's program with an event on its stdin and gives what it printed. Everything that it
 * started has ended then.
 *
 * @throws {HotplugError} `hook-failed` when it cannot be started, ends with another status than 0,
 * not in time, or prints too much; `aborted`.
 */
export async function runHook(
  program: HookProgram,
  event: JsonObject,
  where: HookMachine,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  throwIfAborted(signal);
  const { machine, folders } = where;
  const { args, cwd, timeoutMs } = program;
  const depth = Math.max(0, Math.trunc(Number(machine.env[DEPTH_VARIABLE] ?? "0")) || 0);
  if (depth >= MAX_DEPTH) throw failed(program, "it runs within itself");
  const { workspacePath } = event;
  const env = {
    ...hookEnvironment(program, machine, typeof workspacePath === "string" ? workspacePath : null),
    [DEPTH_VARIABLE]: String(depth + 1),
  };
  if (factsOf(cwd)?.isDirectory() !== true) {
    throw failed(program, `its working folder "${cwd}" does not exist`);
  }
  const found = resolveProgram(program.command, { machine, env, cwd });
  if (found.path === null) {
    const problem = found.unusable === undefined
      ? "its program was not found"
      : `"${found.unusable}" may not be run`;
    throw failed(program, problem);
  }
  let run: CapturedRun;
  try {
    const options: CapturedRunOptions = {
      program: found.path,
      args,
      cwd,
      env,
      mark: newMark(),
      records: recordsFolder(folders),
      input: `${JSON.stringify({ event: program.event, ...event })}\n`,
      timeoutMs,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      signal,
    };
    run = await TURNS.take(() => captureRun(options), signal);
  } catch (thrown) {
    if (isAbortError(thrown)) throw thrown;
    throw failed(program, `it cannot be started: ${toHotplugError(thrown).message}`);
  }
  const problem = problemOf(run, timeoutMs);
  if (problem === null) return run.stdout;
  throwIfAborted(signal);
  throw failed(program, problem, run);
}

/** Why a run is a failure; `null` when it is none. */
function problemOf({ end, code, signal }: CapturedRun, timeoutMs: number): string | null {
  switch (end) {
    case "aborted":
      return "nobody waited for it";
    case "timeout":
      return `it did not end within ${timeoutMs / 1_000} s`;
    case "too-much":
      return `it printed more than ${MAX_OUTPUT_BYTES / 1024 / 1024} MiB`;
    case "unread":
    case "exited":
      if (code === 0 && end === "exited") return null;
      if (code === 0) return "something that it started still holds its output open";
      return code === null ? `it was ended by ${signal}` : `it ended with status ${code}`;
  }
}

/** A failure of a hook, with the end of what it wrote to stderr. */
export function failed(program: HookProgram, problem: string, run?: CapturedRun): HotplugError {
  const secrets = secretValues({ env: program.env, headers: {} });
  const mayStop = program.event === "before-call" || program.event === "before-connect";
  return new HotplugError("hook-failed", `Cannot ask the hook ${shownHook(program)}: ${problem}`, {
    hint: mayStop
      ? `Correct it: what it is asked about is stopped until it answers. ` +
        `To go on without its answer, set "onError": "allow"`
      : "Correct it, or take it out of the file",
    ...(run === undefined ? {} : {
      processExitCode: run.code,
      processSignal: run.signal,
      stderr: maskText(run.stderr, secrets).trim().slice(-MAX_STDERR),
    }),
  });
}

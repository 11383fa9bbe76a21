import process from "node:process";

import { HotplugError } from "../model/errors.ts";
import { captureRun } from "./captured_run.ts";
import { commandInterpreter } from "./launch_line.ts";

/** How {@linkcode runShellCommand} runs. */
export interface ShellCommandOptions {
  /** Working folder, absolute. */
  readonly cwd: string;
  /** The whole environment of the command. */
  readonly env: Readonly<Record<string, string>>;
  /** Kills the command. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds after which it is killed. Default 10,000. */
  readonly timeoutMs?: number | undefined;
}

/** Bytes of output after which a command is killed: what it prints becomes one value. */
const MAX_OUTPUT_BYTES = 1024 * 1024;

/** Characters of the last error line that an error carries. */
const MAX_STDERR = 200;

/**
 * What a shell command prints, without white space around it: `/bin/sh -c`, on Windows `cmd /c`.
 * It has no input. When it ends, everything it started ends with it, but for what made itself
 * a process group of its own (the agents of password managers).
 *
 * @throws {HotplugError} `command-failed` when it ends with another status than 0, by a signal, not
 * in time, or prints nothing or too much; the error carries its last error line, never its output.
 * `aborted`; and what `spawnGroup()` throws.
 */
export async function runShellCommand(
  command: string,
  options: ShellCommandOptions,
): Promise<string> {
  const { cwd, env, signal, timeoutMs = 10_000 } = options;
  if (signal?.aborted) throw aborted();
  const [program, args] = process.platform === "win32"
    ? [commandInterpreter(process.env), ["/d", "/s", "/c", command]]
    : ["/bin/sh", ["-c", command]];
  const run = await captureRun({
    program,
    args,
    cwd,
    env,
    mark: "",
    input: "",
    timeoutMs,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    signal,
  });
  const { code, stdout, stderr } = run;
  switch (run.end) {
    case "aborted":
      throw aborted();
    case "timeout":
      throw failed(`it did not end within ${timeoutMs / 1_000} s`);
    case "too-much":
      throw failed(`it printed more than ${MAX_OUTPUT_BYTES} bytes`);
    case "exited":
    // The agents of password managers may keep it open.
    case "unread":
      break;
  }
  if (code === 0) {
    const text = new TextDecoder().decode(stdout).trim();
    if (text !== "") return text;
    throw failed("it printed nothing", { stderr: lastLine(stderr) });
  }
  const how = code === null ? `was ended by ${run.signal}` : `ended with status ${code}`;
  throw failed(`it ${how}`, {
    processExitCode: code,
    processSignal: run.signal,
    stderr: lastLine(stderr),
  });
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)?.slice(0, MAX_STDERR) ?? "";
}

function failed(
  reason: string,
  facts: {
    readonly processExitCode?: number | null;
    readonly processSignal?: string | null;
    readonly stderr?: string;
  } = {},
): HotplugError {
  return new HotplugError("command-failed", `Cannot run the command: ${reason}`, {
    ...facts,
    hint: "Run the command in a shell to see why",
  });
}

function aborted(): HotplugError {
  return new HotplugError("aborted", "Cannot run the command: the caller gave up");
}

import process from "node:process";
import type { Readable } from "node:stream";

import { HotplugError } from "../model/errors.ts";
import { commandInterpreter } from "./launch_line.ts";
import { endGroup } from "./end_group.ts";
import { type ProcessGroup, spawnGroup } from "./process_group.ts";

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

/** Milliseconds for output that is still on its way when the command has ended. */
const LAST_OUTPUT_MS = 200;

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
  const group = await spawnGroup({ program, args, cwd, env, mark: "" });
  group.stdin.end();
  const limit = new AbortController();
  const timer = setTimeout(() => {
    limit.abort(failed(`it did not end within ${timeoutMs / 1_000} s`));
  }, timeoutMs);
  const stop = (): void => limit.abort(aborted());
  signal?.addEventListener("abort", stop, { once: true });
  try {
    return await output(group, limit);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
    await endGroup(group, "", { stdinGraceMs: 0, termGraceMs: LAST_OUTPUT_MS });
  }
}

/** The output of a command that ends well before it is stopped. */
async function output(group: ProcessGroup, limit: AbortController): Promise<string> {
  const stopped = new Promise<never>((_resolve, reject) => {
    limit.signal.addEventListener("abort", () => reject(limit.signal.reason), { once: true });
  });
  const stdout = collect(group.stdout, () => {
    limit.abort(failed(`it printed more than ${MAX_OUTPUT_BYTES} bytes`));
  });
  const stderr = collect(group.stderr);
  const { code, signal } = await Promise.race([group.exited, stopped]);
  // Something it left in the background may hold its output open for ever.
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => timer = setTimeout(resolve, LAST_OUTPUT_MS));
  await Promise.race([Promise.all([stdout.ended, stderr.ended]), late, stopped])
    .finally(() => clearTimeout(timer));
  if (code === 0) {
    const text = stdout.text().trim();
    if (text !== "") return text;
    throw failed("it printed nothing", { stderr: lastLine(stderr.text()) });
  }
  const how = code === null ? `was ended by ${signal}` : `ended with status ${code}`;
  throw failed(`it ${how}`, {
    processExitCode: code,
    processSignal: signal,
    stderr: lastLine(stderr.text()),
  });
}

/** Reads a stream to its end, or to the most that is kept. */
function collect(
  stream: Readable,
  onTooMuch?: () => void,
): { readonly ended: Promise<void>; text(): string } {
  const chunks: Uint8Array[] = [];
  let size = 0;
  stream.on("data", (chunk: Uint8Array) => {
    size += chunk.length;
    if (size <= MAX_OUTPUT_BYTES) chunks.push(chunk);
    else onTooMuch?.();
  });
  const ended = new Promise<void>((resolve) => stream.once("close", resolve));
  return { ended, text: () => new TextDecoder().decode(concat(chunks)) };
}

function concat(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
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

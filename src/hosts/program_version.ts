import { stripVTControlCharacters } from "node:util";
import type { Readable } from "node:stream";
import { throwIfAborted, toHotplugError } from "../model/errors.ts";
import { isJsonObject, type JsonValue } from "../model/json.ts";
import type { Machine } from "../model/machine.ts";
import { endGroup } from "../platform/end_group.ts";
import { spawnGroup } from "../platform/process_group.ts";
import { resolveProgram } from "../platform/program.ts";

/** What a command line says that it is. */
export type ProgramAnswer =
  /** Hotplug, of this version. */
  | { readonly version: string; readonly problem: null }
  /** It is another program, or cannot be run; the problem is a clause. */
  | { readonly version: null; readonly problem: string };

/** What asking takes. */
export interface AskProgramOptions {
  /** The machine; the command runs in its home folder with its environment. */
  readonly machine: Machine;
  /** Ends the command. */
  readonly signal?: AbortSignal | undefined;
  /** Longest time in milliseconds. Default 10,000. */
  readonly timeoutMs?: number | undefined;
}

/** Most characters of an answer that are read. */
const LONGEST_ANSWER = 65_536;

/**
 * Asks a command line for its version and whether it is Hotplug at all.
 *
 * @throws {HotplugError} `aborted`.
 */
export async function programVersion(
  program: readonly string[],
  options: AskProgramOptions,
): Promise<ProgramAnswer> {
  const { machine, signal, timeoutMs = 10_000 } = options;
  const [name = "", ...args] = program;
  const { path } = resolveProgram(name, { machine, env: machine.env, cwd: machine.home });
  if (path === null) return no(`"${name}" is not there or may not be run`);
  try {
    const output = await outputOf(path, [...args, "--version", "--json"], {
      machine,
      signal,
      timeoutMs,
    });
    if (output === null) return no(`it does not answer to "--version --json"`);
    const version = versionIn(output.stdout);
    if (version !== null) return { version, problem: null };
    // An interpreter whose script is gone says so there, and nothing on stdout.
    const [said] = visibleLines(output.stderr ?? "");
    return no(said === undefined ? "it is another program" : `it says: ${said}`);
  } catch (thrown) {
    throwIfAborted(signal);
    return no(toHotplugError(thrown).message);
  }
}

/** What a program printed. */
interface Output {
  readonly stdout: string;
  /** Read only where it printed nothing else. */
  readonly stderr?: string;
}

/** What a program prints; `null` when it does not end in time. */
async function outputOf(
  program: string,
  args: readonly string[],
  { machine, signal, timeoutMs }: Required<Omit<AskProgramOptions, "signal">> & {
    readonly signal: AbortSignal | undefined;
  },
): Promise<Output | null> {
  throwIfAborted(signal);
  const env = Object.fromEntries(
    Object.entries(machine.env).filter((entry): entry is [string, string] =>
      entry[1] !== undefined
    ),
  );
  const group = await spawnGroup({ program, args, cwd: machine.home, env, mark: "" });
  const stopped = Promise.withResolvers<null>();
  const timer = setTimeout(() => stopped.resolve(null), timeoutMs);
  const stop = (): void => stopped.reject(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  try {
    group.stdin.end();
    const [stdout, stderr] = [collected(group.stdout), collected(group.stderr)];
    const text = await Promise.race([stdout, stopped.promise]);
    if (text === null || text.trim() !== "") return text === null ? null : { stdout: text };
    return { stdout: "", stderr: await Promise.race([stderr, stopped.promise]) ?? "" };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
    await endGroup(group, "", { stdinGraceMs: 0, termGraceMs: 200 });
  }
}

/** The text of a stream, up to the most that is read. */
function collected(stream: Readable): Promise<string> {
  let text = "";
  stream.setEncoding("utf8").on("data", (piece: string) => {
    if (text.length < LONGEST_ANSWER) text += piece;
  });
  return new Promise((resolve) => stream.once("close", () => resolve(text)));
}

/** The version of an answer that says it is Hotplug's; `null` for any other. */
function versionIn(text: string): string | null {
  try {
    const answer = JSON.parse(text) as JsonValue;
    if (!isJsonObject(answer) || answer["name"] !== "hotplug") return null;
    const { version } = answer;
    return typeof version === "string" ? version : null;
  } catch {
    return null;
  }
}

/** The lines of a text that say something, without the codes of a terminal. */
function visibleLines(text: string): readonly string[] {
  return stripVTControlCharacters(text).split("\n").map((line) => line.trim())
    .filter((line) => line !== "");
}

function no(problem: string): ProgramAnswer {
  return { version: null, problem };
}

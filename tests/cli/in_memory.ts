import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { application } from "../../src/cli/application.ts";
import type { CliContext } from "../../src/cli/context.ts";
import { runCommandLine } from "../../src/cli/main.ts";
import type { Output, Sink } from "../../src/cli/output.ts";
import type { Machine } from "../../src/model/machine.ts";

/** What a command line printed, and how it ended. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder with a home and a workspace in it. */
export interface Place {
  readonly home: string;
  readonly workspace: string;
  readonly machine: Machine;
  /** Writes a file of the workspace. */
  write(path: string, text: string): Promise<void>;
  /** Runs a command line in the workspace, in this process. */
  run(args: readonly string[], options?: RunOptions): Promise<Ran>;
}

/** How a command line is run. */
export interface RunOptions {
  /** Answers to questions, in order; without them there is no terminal. */
  readonly answers?: readonly string[];
  /** Text of stdin. */
  readonly stdin?: string;
  /** Whether stdout is a terminal. */
  readonly terminal?: boolean;
  /** Takes an answer that could be kept. */
  readonly given?: NonNullable<CliContext["given"]>;
  /** The machine, instead of the place's own. */
  readonly machine?: Machine;
}

/** Gives a test its own home and workspace, and removes them afterwards. */
export async function inPlace(test: (place: Place) => Promise<void>): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "hotplug-cli-")));
  try {
    const home = join(folder, "home");
    const workspace = join(home, "work");
    await mkdir(join(workspace, ".git"), { recursive: true });
    const machine: Machine = {
      platform: "linux",
      env: { HOME: home, PATH: "/usr/bin:/bin" },
      home,
      tmp: folder,
      cwd: workspace,
      uid: null,
    };
    await test({
      home,
      workspace,
      machine,
      async write(path, text): Promise<void> {
        await mkdir(dirname(join(workspace, path)), { recursive: true });
        await writeFile(join(workspace, path), text);
      },
      run: async (args, options = {}) =>
        await runInMemory(args, options.machine ?? machine, options),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs a command line in this process; nothing of the real machine is looked at. */
async function runInMemory(
  args: readonly string[],
  machine: Machine,
  options: RunOptions,
): Promise<Ran> {
  const { output, text } = memoryOutput(options.terminal ?? false);
  const answers = [...options.answers ?? []];
  const context: Omit<CliContext, "process"> = {
    output,
    env: machine.env,
    signal: new AbortController().signal,
    machine: () => Promise.resolve(machine),
    readInput: () => Promise.resolve(options.stdin ?? ""),
    ...(options.given === undefined ? {} : { given: options.given }),
    canAsk: () => options.answers !== undefined,
    ask: (question) => {
      output.stderr.write(question);
      return Promise.resolve(answers.shift() ?? "");
    },
  };
  const code = await runCommandLine(application, args, context);
  return { code, stdout: text("stdout"), stderr: text("stderr") };
}

/** An output that is kept. */
export function memoryOutput(terminal: boolean): {
  readonly output: Output;
  readonly text: (stream: "stdout" | "stderr") => string;
} {
  const written = { stdout: "", stderr: "" };
  const sink = (stream: "stdout" | "stderr"): Sink => ({
    isTerminal: terminal,
    colour: false,
    columns: terminal ? 100 : null,
    rows: terminal ? 40 : null,
    get isUsed(): boolean {
      return written[stream] !== "";
    },
    isClosed: false,
    write(text): void {
      written[stream] += text;
    },
  });
  return {
    output: { stdout: sink("stdout"), stderr: sink("stderr"), flush: () => Promise.resolve() },
    text: (stream) => written[stream],
  };
}

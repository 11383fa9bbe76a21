import process from "node:process";
// Imported from the start: of packages that come later Deno compiles the code anew at each run.
import { type Application, run, type StricliProcess } from "@stricli/core";
import { HotplugError, toHotplugError } from "../model/errors.ts";
import type { AnswerMemory } from "./answer_memory.ts";
import type { CliContext } from "./context.ts";
import type { GivenAnswer } from "./keep_answer.ts";
import { type Output, streamOutput } from "./output.ts";
import { endOnSignals } from "./signals.ts";
import { asksForVersion, versionText } from "./version.ts";

/** Runs the command line of this process and ends the process with the command's exit code. */
export async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const env = process.env;
  const output = streamOutput(process.stdout, process.stderr, env);
  if (asksForVersion(args)) {
    output.stdout.write(versionText(args.includes("--json")));
    await output.flush();
    return process.exit(0);
  }
  const memory = await memoryOf(args, output);
  const recalled = memory?.recall() ?? null;
  if (recalled !== null) {
    await output.flush();
    return process.exit(recalled);
  }
  let given = null as GivenAnswer | null;
  const ending = endOnSignals(process);
  const fail = (thrown: unknown): void => {
    void crash(output, thrown, { json: args.includes("--json"), code: ending.exitCode() });
  };
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);
  const { application } = await import("./application.ts");
  const code = await runCommandLine(application, args, {
    output,
    env,
    signal: ending.signal,
    machine: async () =>
      memory?.machine ?? (await import("../platform/machine.ts")).currentMachine(),
    given: (answer): void => {
      given = answer;
    },
    readInput: async () => (await import("./input.ts")).readAll(process.stdin, ending.signal),
    canAsk: () => process.stdin.isTTY === true && process.stderr.isTTY === true,
    ask: async (question) => {
      const { ask } = await import("./input.ts");
      return await ask(process.stdin, process.stderr, question, ending.signal);
    },
  });
  await output.flush();
  if (given !== null && ending.exitCode() === null) await memory?.keep(given);
  process.exit(ending.exitCode() ?? code);
}

/** Arguments of `mcp tools` to which no answer is kept: a look would only cost time. */
const NEVER_KEPT: readonly string[] = ["--refresh", "--verbose", "-v", "--help", "-h"];

/** Whether the answer to a command line may have been kept. */
function mayBeKept([command, ...rest]: readonly string[]): boolean {
  return command === "tools" && !rest.some((argument) => NEVER_KEPT.includes(argument));
}

/** The kept answers to a command line; `null` when none are kept, or none can be. */
async function memoryOf(args: readonly string[], output: Output): Promise<AnswerMemory | null> {
  if (!mayBeKept(args)) return null;
  try {
    const { answerMemory } = await import("./answer_memory.ts");
    return await answerMemory(args, output);
  } catch {
    // Whatever it is, the command meets it, too, and says so.
    return null;
  }
}

/**
 * Runs one command line.
 * @returns The exit code: 2 for what the argument parser refuses, 1 for what it cannot load.
 */
export async function runCommandLine(
  app: Application<CliContext>,
  args: readonly string[],
  base: Omit<CliContext, "process">,
): Promise<number> {
  const complaints: string[] = [];
  const parser: StricliProcess = {
    stdout: {
      write: (text: string): void => base.output.stdout.write(text),
      getColorDepth: (): number => base.output.stdout.colour ? 4 : 1,
    },
    stderr: { write: (text: string): number => complaints.push(text.trim()) },
    exitCode: null,
  };
  await run(app, parserArguments(args), { ...base, process: parser });
  const code = Number(parser.exitCode ?? 0);
  if (code >= 0) return code;
  const { reportFailure } = await import("./run_action.ts");
  const error = code === UNKNOWN_COMMAND || code === INVALID_ARGUMENT
    ? new HotplugError("usage", complaints.join("; "), { hint: helpHint(app, args) })
    : new HotplugError("internal", complaints.join("; "));
  reportFailure(base.output, error, args.includes("--json"));
  return error.exitCode;
}

/** The parser's exit codes for mistakes on the command line. */
const UNKNOWN_COMMAND = -5;
const INVALID_ARGUMENT = -4;

/** The arguments as the parser takes them: `help x` is `x --help`, nothing at all is `--help`. */
function parserArguments(args: readonly string[]): readonly string[] {
  const [first, ...rest] = args;
  if (first === undefined) return ["--help"];
  if (first !== "help") return args;
  return rest[0] === "help" ? ["--help"] : [...rest, "--help"];
}

/** What is often meant by arguments that a command does not take. */
const HELP_NOTES: Readonly<Record<string, string>> = {
  add: "; write -- before the command of the server",
  call: "; arguments of the tool are written key=value",
};

/** Where to read how a command is used. */
function helpHint(app: Application<CliContext>, args: readonly string[]): string {
  const [command = ""] = args;
  const known = "getRoutingTargetForInput" in app.root &&
    app.root.getRoutingTargetForInput(command) !== undefined;
  const more = HELP_NOTES[command] ?? "";
  return `See "${app.config.name}${known ? ` ${command}` : ""} --help"${more}`;
}

/** Ends the process after an error that nothing caught; its `exit` listeners stop the servers. */
async function crash(
  output: Output,
  thrown: unknown,
  { json, code }: { readonly json: boolean; readonly code: number | null },
): Promise<void> {
  const { reportFailure } = await import("./run_action.ts");
  // An answer that is out already stays the only document.
  reportFailure(output, toHotplugError(thrown), json && !output.stdout.isUsed);
  await output.flush();
  process.exit(code ?? 1);
}

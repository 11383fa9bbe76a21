import { resolve } from "node:path";
import { HotplugError } from "../../model/errors.ts";
import type { CallToolResult, Progress } from "../../model/tool.ts";
import type { MCPManager } from "../../runtime/manager.ts";
import type { ToolAddress } from "../../tools/public_name.ts";
import { readArguments, typedArguments } from "../arguments_by_schema.ts";
import { calledTool } from "../called_tool.ts";
import { painter } from "../colour.ts";
import type { CliContext } from "../context.ts";
import type { DiscoveryFlags } from "../flags.ts";
import { discover, type Discovered } from "../discovery.ts";
import { type CallDocument, SCHEMA_VERSION } from "../documents.ts";
import { errorLines, withNextStep } from "../error_text.ts";
import { errorDocument, jsonText } from "../json_output.ts";
import { cutForTerminal } from "../long_text.ts";
import { progressLine } from "../progress_line.ts";
import { remembered } from "../remembered.ts";
import { usageError } from "../run_action.ts";
import { saveFiles } from "../result_files.ts";
import { fileNote, resultPieces } from "../result_text.ts";
import { orAborted, type Running, stillStarting, withServers } from "../running.ts";
import { unavailableLine } from "../server_answers.ts";
import { chooseServers, notRunnable, restricted } from "../server_choice.ts";
import { shownLine, shownLines } from "../shown.ts";
import { waitingLine } from "../waiting_line.ts";

/** Flags of `mcp call`. */
export interface CallFlags extends DiscoveryFlags {
  /** Longest time without an answer or progress, in milliseconds. */
  readonly timeout?: number | undefined;
  /** Folder to save images, audio and other files in. */
  readonly output?: string | undefined;
}

/** `mcp call`: starts one server, calls one tool, prints its answer, stops the server. */
export async function call(
  context: CliContext,
  flags: CallFlags,
  [server, name, ...words]: readonly string[],
): Promise<number> {
  if (server === undefined || name === undefined) {
    const what = server === undefined ? "server" : "tool";
    throw usageError(
      `Cannot call a tool: no ${what} is named`,
      "mcp call <server> <tool> [<key>=<value>... | <json> | -]",
    );
  }
  const { output, signal } = context;
  const raw = await readArguments(words, () => context.readInput());
  const discovered = await discover(context, flags);
  const { plan } = discovered.loaded;
  const chosen = chooseServers(plan, [server]);
  for (const planned of chosen) {
    if (planned.verdict.state !== "run") throw notRunnable(planned, plan);
  }
  const loaded = restricted(discovered.loaded, chosen);
  return await withServers(context, discovered, { loaded, furtherLists: [] }, async (running) => {
    await started(context, flags, running);
    const error = startFailure(running.manager, server);
    if (error !== null) return reportStartFailure(context, flags, { server, error });
    const tool = await calledTool(name, {
      server,
      tools: running.manager.listTools(server),
      others: () => rememberedAddresses(discovered, server),
    });
    const args = typedArguments(raw, tool);
    const progress = progressLine(output.stderr);
    let result: CallToolResult;
    try {
      result = await orAborted(
        running.manager.callTool(server, tool.name, args, {
          signal,
          onProgress: (step: Progress) => progress.show(step),
          ...(flags.timeout === undefined ? {} : { timeout: flags.timeout }),
        }),
        signal,
      );
    } finally {
      progress.clear();
    }
    const folder = flags.output === undefined
      ? null
      : resolve(discovered.machine.cwd, flags.output);
    await printResult(context, flags, { server, tool: tool.name, result, folder });
    await output.flush();
    return result.isError ? TOOL_FAILED : 0;
  });
}

/** Waits until the server is connected or has failed; says so on a terminal. */
async function started(
  { output }: CliContext,
  flags: CallFlags,
  { manager, settled }: Running,
): Promise<void> {
  const quiet = waitingLine(output.stderr, {
    names: () => stillStarting(manager),
    verbose: flags.verbose === true,
  });
  try {
    await settled();
  } finally {
    quiet();
  }
}

/** The tools that the cache knows of all servers but one. */
async function rememberedAddresses(
  discovered: Discovered,
  server: string,
): Promise<readonly ToolAddress[]> {
  const { plan } = discovered.loaded;
  const known = await remembered(discovered, plan.servers.filter(({ name }) => name !== server));
  return [...known].flatMap(([name, { tools }]) =>
    (tools ?? []).map((tool) => ({ server: name, tool: tool.name }))
  );
}

/** Exit code of a call whose tool says that it failed. */
const TOOL_FAILED = 5;

/** Why a server that was started is not connected; `null` when it is. */
function startFailure(manager: MCPManager, server: string): HotplugError | null {
  const view = manager.getServers().find(({ name }) => name === server);
  if (view?.state === "connected") return null;
  const error = view?.error ?? null;
  if (error === null) {
    return new HotplugError("not-connected", `Cannot reach server "${server}": it is closed`, {
      hint: "Call it again",
    });
  }
  const code = view?.state === "needs-auth" ? "needs-auth" : error.code;
  return new HotplugError(code, error.message, { ...error, details: { server } });
}

/** Tells that the server of a call did not start, and gives the exit code. */
function reportStartFailure(
  { output }: CliContext,
  flags: CallFlags,
  failure: { readonly server: string; readonly error: HotplugError },
): number {
  const { server, error } = failure;
  if (flags.json === true) output.stdout.write(jsonText(errorDocument(error)));
  const lines = errorLines(withNextStep(error.toInfo(), server), {
    prefix: unavailableLine(server, ""),
    paint: painter(output.stderr.colour),
    verbose: flags.verbose === true,
  });
  output.stderr.write(`${lines.join("\n")}\n`);
  return error.exitCode;
}

/** Prints a tool's answer, and saves its files. */
async function printResult(
  { output: { stdout, stderr } }: CliContext,
  flags: CallFlags,
  answer: {
    readonly server: string;
    readonly tool: string;
    readonly result: CallToolResult;
    readonly folder: string | null;
  },
): Promise<void> {
  const { server, tool, result, folder } = answer;
  const pieces = resultPieces(result);
  const paths = folder === null ? [] : await saveFiles(pieces, folder);
  if (flags.json === true) {
    const document: CallDocument = {
      schemaVersion: SCHEMA_VERSION,
      server,
      tool,
      isError: result.isError,
      result: result.raw,
      files: paths.filter((path) => path !== null),
    };
    stdout.write(jsonText(document));
    return;
  }
  if (pieces.length === 0) {
    const note = painter(stderr.colour)("yellow", "note: the tool answered without any content");
    stderr.write(`${note}\n`);
  }
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind === "file") {
      stdout.write(`${shownLine(fileNote(piece, paths[index] ?? null))}\n`);
      continue;
    }
    const { text, cut } = stdout.isTerminal
      ? cutForTerminal(piece.text)
      : { text: piece.text, cut: null };
    const lines = shownLines(text).join("\n");
    stdout.write(lines.endsWith("\n") ? lines : `${lines}\n`);
    if (cut !== null) stderr.write(`${painter(stderr.colour)("yellow", `note: ${cut}`)}\n`);
  }
}

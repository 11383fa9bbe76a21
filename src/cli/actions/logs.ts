import { setTimeout as delay } from "node:timers/promises";
import { HotplugError, toHotplugError } from "../../model/errors.ts";
import type { LogLevel } from "../../model/log.ts";
import type { LogLine } from "../../model/server_log.ts";
import { errnoOf, errnoText } from "../../platform/errno.ts";
import { logFolder } from "../../platform/log_folder.ts";
import { LogReader } from "../../platform/log_reader.ts";
import { painter } from "../colour.ts";
import type { CliContext } from "../context.ts";
import { discover } from "../discovery.ts";
import { SCHEMA_VERSION } from "../documents.ts";
import type { AnswerFlags } from "../flags.ts";
import { harmlessJson, jsonText } from "../json_output.ts";
import type { LogsDocument } from "../logs_document.ts";
import { chosenLines, type LogChoice, logText } from "../log_text.ts";
import { type Since, sinceMoment } from "../log_time.ts";
import { unknownName } from "../server_choice.ts";
import { shownNames } from "../server_answers.ts";

/** Flags of `mcp logs`. */
export interface LogsFlags extends AnswerFlags {
  /** Folder to work in, instead of the current one. */
  readonly cwd?: string | undefined;
  /** Home folder whose agents' files are read, instead of the user's. */
  readonly home?: string | undefined;
  /** Print lines as they come until a signal ends it. */
  readonly follow?: boolean | undefined;
  /** The earliest moment. Default: the beginning. */
  readonly since?: Since | undefined;
  /** The least grave level. Default: `debug`. */
  readonly level?: LogLevel | undefined;
}

/** How often a log that is followed is looked at, in milliseconds. */
const LOOK_MS = 200;

/** `mcp logs`: what servers wrote, and when they started and ended. Starts nothing. */
export async function logs(
  context: CliContext,
  flags: LogsFlags,
  names: readonly string[],
): Promise<number> {
  const { folders, loaded: { plan } } = await discover(context, flags);
  const folder = logFolder(folders);
  const reader = new LogReader(folder, plan.workspacePath);
  const choice: LogChoice = {
    servers: names,
    since: sinceMoment(flags.since, Date.now()),
    level: flags.level ?? "debug",
  };
  const first = await next(reader, folder);
  // A server that was taken out of its file can have a log all the same.
  const known = [
    ...new Set([...plan.servers.map(({ name }) => name), ...first.map(({ server }) => server)]),
  ];
  for (const name of names) {
    if (!known.includes(name)) {
      throw unknownName("server", name, known, "it is defined nowhere and has no log");
    }
  }
  const { stdout, stderr } = context.output;
  const lines = chosenLines(first, choice);
  if (flags.follow !== true && flags.json === true) {
    const document: LogsDocument = {
      schemaVersion: SCHEMA_VERSION,
      workspacePath: plan.workspacePath,
      lines,
    };
    stdout.write(jsonText(document));
    return 0;
  }
  const print = printer(context, flags);
  print(lines);
  if (flags.follow === true) {
    for await (const added of followed(reader, folder, context)) print(chosenLines(added, choice));
    return 0;
  }
  if (lines.length === 0) {
    const whose = names.length === 0 ? "any server of this workspace" : shownNames(names);
    stderr.write(`${painter(stderr.colour)("dim", `No such lines of ${whose} in ${folder}`)}\n`);
  }
  return 0;
}

/** Prints lines as text, or each as JSON. */
function printer(
  { output: { stdout } }: CliContext,
  flags: LogsFlags,
): (lines: readonly LogLine[]) => void {
  const paint = painter(stdout.colour);
  const shown = flags.json === true
    ? (line: LogLine): string => harmlessJson(JSON.stringify(line))
    : (line: LogLine): string => logText(line, paint);
  return (lines) => stdout.write(lines.map((line) => `${shown(line)}\n`).join(""));
}

/** What is added from now on, until the program is to end or nobody reads any more. */
async function* followed(
  reader: LogReader,
  folder: string,
  { signal, output: { stdout } }: CliContext,
): AsyncGenerator<readonly LogLine[]> {
  while (!signal.aborted && !stdout.isClosed) {
    try {
      await delay(LOOK_MS, undefined, { signal });
    } catch {
      return;
    }
    yield await next(reader, folder);
  }
}

/** What the reader has not given yet. @throws {HotplugError} `config-unreadable`. */
async function next(reader: LogReader, folder: string): Promise<readonly LogLine[]> {
  try {
    return await reader.next();
  } catch (thrown) {
    if (errnoOf(thrown) === null) throw toHotplugError(thrown);
    throw new HotplugError("config-unreadable", `Cannot read "${folder}": ${errnoText(thrown)}`, {
      cause: thrown,
    });
  }
}

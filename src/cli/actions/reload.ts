import type { LiveSession } from "../../control/live_sessions.ts";
import { hotplugFolders } from "../../platform/folders.ts";
import { findWorkspace } from "../../platform/workspace.ts";
import {
  askSessions,
  outcomeField,
  outcomesExitCode,
  type SessionOutcome,
} from "../ask_sessions.ts";
import { painter } from "../colour.ts";
import type { CliContext } from "../context.ts";
import { machineIn } from "../named_folders.ts";
import { SCHEMA_VERSION } from "../documents.ts";
import { findSessions } from "../find_sessions.ts";
import { errorField, jsonText } from "../json_output.ts";
import { refreshLines, refreshPlain } from "../refresh_text.ts";
import type { DirectReload } from "../reload_direct.ts";
import { reportFailure, usageError } from "../run_action.ts";
import type { ReloadDocument } from "../session_documents.ts";
import { SessionPrinter, type SessionPrintFlags } from "../session_print.ts";

/** Flags of `mcp reload`. */
export interface ReloadFlags extends SessionPrintFlags {
  /** Folder to work in, instead of the current one. */
  readonly cwd?: string | undefined;
  /** The sessions of all workspaces. */
  readonly all?: boolean | undefined;
  /** End every server and start all anew. */
  readonly restart?: boolean | undefined;
  /** Exit with 1 when anything failed. */
  readonly strict?: boolean | undefined;
  /** Longest time to wait, in milliseconds. Default: 10 s beyond the slowest server. */
  readonly wait?: number | undefined;
}

/** `mcp reload`: reloads every live session; with none, reads what servers offer by itself. */
export async function reload(
  context: CliContext,
  flags: ReloadFlags,
  names: readonly string[],
): Promise<number> {
  if (flags.json === true && flags.plain === true) {
    throw usageError("Cannot print --json and --plain at once", null);
  }
  const machine = await machineIn(context, flags.cwd);
  const folders = hotplugFolders(machine);
  const workspacePath = findWorkspace(machine.cwd, machine.home);
  const { signal } = context;
  const sessions = await findSessions({
    machine,
    folders,
    signal,
    workspacePath: flags.all === true ? undefined : workspacePath,
  });
  const printer = new SessionPrinter(context, flags, flags.all === true ? machine.home : undefined);
  if (sessions.length > 0) {
    const outcomes = await reloadSessions(context, flags, { sessions, names, printer });
    // All of them may have ended meanwhile.
    if (outcomes.length > 0) {
      if (flags.json === true) {
        writeDocument(context, { workspacePath, sessions: outcomes, direct: null });
      }
      return outcomesExitCode(outcomes, flags.strict === true);
    }
  }
  if (flags.all !== true) await tellOfOthers(context, { machine, folders });
  // What only this needs is loaded only here: a session does all that by itself.
  const [{ discover }, { reloadDirect }] = await Promise.all([
    import("../discovery.ts"),
    import("../reload_direct.ts"),
  ]);
  const discovered = await discover(context, { cwd: flags.cwd }, true);
  return await reloadDirect(context, discovered, {
    names,
    wait: flags.wait,
    print: (done) => printDirect(context, flags, { done, workspacePath }),
  });
}

async function reloadSessions(
  context: CliContext,
  flags: ReloadFlags,
  { sessions, names, printer }: {
    readonly sessions: readonly LiveSession[];
    readonly names: readonly string[];
    readonly printer: SessionPrinter;
  },
): Promise<readonly SessionOutcome[]> {
  const request = {
    ...(names.length > 0 ? { servers: names } : {}),
    ...(flags.restart === true ? { restart: true } : {}),
  };
  const options = { signal: context.signal, limitMs: flags.wait };
  return await askSessions(context, sessions, {
    ask: (session) => session.reload(request, options),
    onOutcome: (outcome) => printer.print(outcome),
  });
}

/** Prints what was done without a session; gives the exit code. */
function printDirect(
  context: CliContext,
  flags: ReloadFlags,
  { done: { report, error }, workspacePath }: {
    readonly done: DirectReload;
    readonly workspacePath: string;
  },
): number {
  const { stdout } = context.output;
  if (flags.json === true) {
    writeDocument(context, { workspacePath, sessions: [], direct: report, error });
  } else {
    const paint = painter(stdout.colour);
    const lines = flags.plain === true ? refreshPlain(report, "-") : [
      paint("bold", "No session is live here; this is what the servers offer now:"),
      ...refreshLines(report, { paint, width: stdout.columns }),
    ];
    stdout.write(`${lines.join("\n")}\n`);
    if (error !== null) reportFailure(context.output, error, false);
  }
  if (error !== null) return error.exitCode;
  return flags.strict === true && report.errors.length > 0 ? 1 : 0;
}

function writeDocument(
  { output: { stdout } }: CliContext,
  { workspacePath, sessions, direct, error = null }: {
    readonly workspacePath: string;
    readonly sessions: readonly SessionOutcome[];
    readonly direct: ReloadDocument["direct"];
    readonly error?: DirectReload["error"];
  },
): void {
  const document: ReloadDocument = {
    schemaVersion: SCHEMA_VERSION,
    workspacePath,
    sessions: sessions.map(outcomeField),
    direct,
    ...(error === null ? {} : { error: errorField(error) }),
  };
  stdout.write(jsonText(document));
}

/** Says on stderr that sessions live elsewhere, so that nobody thinks these were reached. */
async function tellOfOthers(
  { output: { stderr }, signal }: CliContext,
  where: Pick<Parameters<typeof findSessions>[0], "machine" | "folders">,
): Promise<void> {
  const others = await findSessions({ ...where, signal });
  if (others.length === 0) return;
  const count = others.length === 1 ? "1 session is" : `${others.length} sessions are`;
  const paint = painter(stderr.colour);
  stderr.write(`${paint("yellow", `note: ${count} live in other workspaces: mcp reload --all`)}\n`);
}

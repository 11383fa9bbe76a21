import type { LiveSession } from "../../control/live_sessions.ts";
import { errorFromInfo, HotplugError } from "../../model/errors.ts";
import { shownName } from "../../model/remedies.ts";
import type { SteeredSession } from "../../model/session_view.ts";
import { hotplugFolders } from "../../platform/folders.ts";
import { findWorkspace } from "../../platform/workspace.ts";
import {
  askSessions,
  outcomeField,
  outcomesExitCode,
  type SessionOutcome,
} from "../ask_sessions.ts";
import type { CliContext } from "../context.ts";
import { machineIn } from "../named_folders.ts";
import { SCHEMA_VERSION } from "../documents.ts";
import { findSessions, type SessionChoice } from "../find_sessions.ts";
import { jsonText } from "../json_output.ts";
import { type Action, usageError } from "../run_action.ts";
import type { SteerDocument } from "../session_documents.ts";
import { SessionPrinter, type SessionPrintFlags } from "../session_print.ts";

/** What is done with one server of live sessions. */
export type SteerAction = keyof Pick<SteeredSession, "pause" | "resume" | "retry">;

/** Flags of `mcp pause`, `mcp resume` and `mcp retry`. */
export interface SteerFlags extends SessionPrintFlags {
  /** Folder to work in, instead of the current one. */
  readonly cwd?: string | undefined;
  /** The one session that is meant. */
  readonly session?: string | undefined;
  /** Longest time to wait, in milliseconds. Default: 10 s beyond the slowest server. */
  readonly wait?: number | undefined;
}

/** What to do when no session is live. */
const WITHOUT_SESSION: Readonly<Record<SteerAction, (name: string) => string>> = {
  pause: (name) => `To switch it off for good: mcp disable ${name}`,
  resume: () => "A pause ends with its session; a new one starts every server",
  retry: (name) => `To start it and see what it says: mcp status ${name}`,
};

/** `mcp pause`, `mcp resume`, `mcp retry`: one server, in the live sessions of the workspace. */
export function steer(action: SteerAction): Action<SteerFlags> {
  return async (context, flags, [name = ""]) => {
    if (flags.json === true && flags.plain === true) {
      throw usageError("Cannot print --json and --plain at once", null);
    }
    const machine = await machineIn(context, flags.cwd);
    const choice: SessionChoice = {
      machine,
      folders: hotplugFolders(machine),
      workspacePath: findWorkspace(machine.cwd, machine.home),
      id: flags.session,
      signal: context.signal,
    };
    const sessions = await findSessions(choice);
    if (sessions.length === 0) throw await noSession(action, name, choice);
    const printer = new SessionPrinter(context, flags, undefined);
    const options = { signal: context.signal, limitMs: flags.wait };
    const outcomes = await askSessions(context, sessions, {
      ask: (session: LiveSession) => session[action](name, options),
      onOutcome: (outcome) => printer.print(outcome),
    });
    if (outcomes.length === 0) throw await noSession(action, name, choice);
    if (flags.json === true) writeDocument(context, { action, server: name, outcomes });
    return outcomesExitCode(outcomes, false) || serverExitCode(action, name, outcomes);
  };
}

async function noSession(
  action: SteerAction,
  name: string,
  choice: SessionChoice,
): Promise<HotplugError> {
  const elsewhere = await findSessions({ ...choice, workspacePath: undefined, id: undefined });
  const ids = elsewhere.map(({ info }) => info.id).join(", ");
  const hint = ids === ""
    ? WITHOUT_SESSION[action](shownName(name))
    : `Live in other workspaces: ${ids}; name one with --session`;
  return new HotplugError(
    "no-session",
    `Cannot ${action} "${name}": no session of this workspace is live`,
    { hint },
  );
}

/** The exit code that tells of a server which was to start and did not; 0 when one did. */
function serverExitCode(
  action: SteerAction,
  name: string,
  outcomes: readonly SessionOutcome[],
): number {
  if (action === "pause") return 0;
  const rows = outcomes.flatMap(({ report }) =>
    report?.servers.find((server) => server.name === name) ?? []
  );
  const [first] = rows.filter(({ error }) => error !== null);
  if (first === undefined || rows.some(({ error }) => error === null)) return 0;
  if (first.state === "needs-auth") return 3;
  return first.error === null ? 0 : errorFromInfo(first.error).exitCode;
}

function writeDocument(
  { output: { stdout } }: CliContext,
  { action, server, outcomes }: {
    readonly action: SteerAction;
    readonly server: string;
    readonly outcomes: readonly SessionOutcome[];
  },
): void {
  const document: SteerDocument = {
    schemaVersion: SCHEMA_VERSION,
    action,
    server,
    sessions: outcomes.map(outcomeField),
  };
  stdout.write(jsonText(document));
}

import type { ErrorInfo } from "../model/errors.ts";
import type { PlannedServer } from "../model/plan.ts";
import type { ServerState } from "../model/server_state.ts";
import { connectionStatus } from "../model/server_state.ts";
import type { ServerView } from "../model/server_view.ts";
import type { Paint } from "./colour.ts";
import { shownDuration } from "./duration.ts";
import { errorSummary, withNextStep } from "./error_text.ts";
import { shownLine } from "./shown.ts";

/** What became of one server that a list command asked. */
export interface ServerAnswer {
  /** The server's name. */
  readonly name: string;
  /** Its state. */
  readonly state: ServerState;
  /** Why it gave nothing, or only what was remembered. */
  readonly error: ErrorInfo | null;
  /** What the user should know though it works. */
  readonly warnings: readonly string[];
}

/** States that are a failure at start, and not a choice of the user's. */
const FAILED: readonly ServerState[] = [
  "error",
  "missing",
  "needs-auth",
  "needs-input",
  "retrying",
  "connecting",
  "disconnected",
];

/**
 * What stderr says of servers that gave nothing: one line per failure at start
 * (`Warning: MCP unavailable: <server>: <reason>`) with its hint below it, one for all that wait
 * for approval, and the warnings of the others, each once with all the servers it is about.
 */
export function unavailableLines(
  answers: readonly ServerAnswer[],
  paint: Paint,
): readonly string[] {
  const lines: string[] = [];
  const warned = new Map<string, string[]>();
  for (const { name, state, error, warnings } of answers) {
    if (error !== null && FAILED.includes(state)) {
      const { hint } = withNextStep(error, name);
      lines.push(paint("yellow", unavailableLine(name, errorSummary(error))));
      if (hint !== null) lines.push(paint("yellow", `  hint: ${shownLine(hint)}`));
    }
    for (const warning of new Set(warnings)) {
      warned.set(warning, [...warned.get(warning) ?? [], name]);
    }
  }
  for (const [warning, names] of warned) lines.push(paint("yellow", warningLine(warning, names)));
  const untrusted = answers.filter(({ state }) => state === "untrusted");
  if (untrusted.length > 0) {
    const names = shownNames(untrusted.map(({ name }) => name));
    lines.push(paint("yellow", `note: not approved: ${names} (see "mcp trust")`));
  }
  return lines;
}

/** One warning, and the servers that it is about: `warning: a, b: text`. */
export function warningLine(warning: string, names: readonly string[]): string {
  return `warning: ${shownNames(names)}: ${shownLine(warning)}`;
}

/** How many names of servers one line holds. */
const NAMES_SHOWN = 8;

/** Names of servers on one line, cut when they are many: `a, b and 7 more`. */
export function shownNames(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN).map(shownLine).join(", ");
  const more = names.length - NAMES_SHOWN;
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** The line that tells of one server's failure at start. */
export function unavailableLine(name: string, reason: string): string {
  return `Warning: MCP unavailable: ${shownLine(name)}: ${reason}`;
}

/**
 * The exit code of a list command: that of the one server the user named when it failed, else 0.
 * 1 it may not run, 3 it needs authorisation, 4 it cannot be reached.
 */
export function listExitCode(
  names: readonly string[],
  answers: readonly ServerAnswer[],
  chosen: readonly PlannedServer[],
): number {
  const [answer] = answers;
  if (names.length !== 1 || answer === undefined) return 0;
  if (chosen[0]?.verdict.state !== "run") return 1;
  if (answer.state === "needs-auth") return 3;
  return answer.error === null ? 0 : 4;
}

/**
 * The row's error, or one that tells that it is still on its way.
 * @param waitedMs How long the command waited for it.
 */
export function viewError(view: ServerView, waitedMs: number): ErrorInfo | null {
  if (view.error !== null || connectionStatus(view.state) !== "connecting") return view.error;
  return { code: "start-timeout", ...lateWords(waitedMs) };
}

/** What is said of a server that has not answered within `--wait`, and how to give it longer. */
export function lateWords(
  waitedMs: number,
): { readonly message: string; readonly hint: string } {
  const longer = Math.max(LONGER_MS, 2 * waitedMs);
  return {
    message: `No answer within ${shownDuration(waitedMs)}`,
    hint: `Give it longer: --wait ${Math.ceil(longer / 1_000)}s`,
  };
}

/** The least wait that is proposed: a server's own time limit, unless its definition says. */
const LONGER_MS = 30_000;

import type { ErrorInfo } from "../model/errors.ts";
import type { PlannedServer } from "../model/plan.ts";
import type { ServerState } from "../model/server_state.ts";
import { connectionStatus } from "../model/server_state.ts";
import type { ServerView } from "../model/server_view.ts";
import type { Paint } from "./colour.ts";
import { errorSummary } from "./error_text.ts";
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
 * (`Warning: MCP unavailable: <server>: <reason>`), one for all that wait for approval, and the
 * warnings of the others.
 */
export function unavailableLines(
  answers: readonly ServerAnswer[],
  paint: Paint,
): readonly string[] {
  const lines: string[] = [];
  for (const { name, state, error, warnings } of answers) {
    if (error !== null && FAILED.includes(state)) {
      lines.push(paint("yellow", unavailableLine(name, errorSummary(error))));
    }
    for (const warning of warnings) {
      lines.push(paint("yellow", `warning: ${shownLine(name)}: ${shownLine(warning)}`));
    }
  }
  const untrusted = answers.filter(({ state }) => state === "untrusted");
  if (untrusted.length > 0) {
    const names = untrusted.map(({ name }) => shownLine(name)).join(", ");
    lines.push(paint("yellow", `note: not approved: ${names} (see "mcp trust")`));
  }
  return lines;
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

/** The row's error, or one that tells that it is still on its way. */
export function viewError(view: ServerView): ErrorInfo | null {
  if (view.error !== null || connectionStatus(view.state) !== "connecting") return view.error;
  return { code: "start-timeout", message: "It did not answer in time", hint: null };
}

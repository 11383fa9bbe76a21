import type { LiveSession } from "../control/live_sessions.ts";
import { type HotplugError, toHotplugError } from "../model/errors.ts";
import type { RefreshReport, SessionInfo } from "../model/session_view.ts";
import { errorField } from "./json_output.ts";
import type { CliContext } from "./context.ts";
import type { SteeredSessionResult } from "./session_documents.ts";
import { waitingLine } from "./waiting_line.ts";

/** What became of a session that was asked for something. */
export interface SessionOutcome {
  /** Who it is. */
  readonly info: SessionInfo;
  /** What it led to; `null` when it failed. */
  readonly report: RefreshReport | null;
  /** Why it failed. */
  readonly error: HotplugError | null;
}

/** What sessions are asked for, and who hears of each answer. */
export interface AskOptions {
  /** Asks one session. */
  readonly ask: (session: LiveSession) => Promise<RefreshReport>;
  /** Called with each outcome as it comes. */
  readonly onOutcome: (outcome: SessionOutcome) => void;
}

/**
 * Asks sessions all at once; none waits for another. One that ended meanwhile is left out.
 * @throws {HotplugError} `unknown-server` when none of them knows the server that was named.
 */
export async function askSessions(
  { output: { stderr } }: CliContext,
  sessions: readonly LiveSession[],
  { ask, onOutcome }: AskOptions,
): Promise<readonly SessionOutcome[]> {
  const waiting = new Set(sessions);
  const quiet = waitingLine(stderr, {
    names: () => [...waiting].map(({ info }) => `session ${info.id}`),
    verbose: false,
  });
  const strange: SessionOutcome[] = [];
  try {
    const outcomes = await Promise.all(sessions.map(async (session) => {
      const outcome = await outcomeOf(session, ask);
      waiting.delete(session);
      const code = outcome.error?.code;
      if (code === "no-session") return null;
      // Whether that matters depends on the others.
      if (code === "unknown-server") strange.push(outcome);
      else onOutcome(outcome);
      return outcome;
    }));
    const left = outcomes.filter((outcome) => outcome !== null);
    const [first] = strange;
    if (first?.error && strange.length === left.length) throw first.error;
    strange.forEach(onOutcome);
    return left;
  } finally {
    quiet();
  }
}

async function outcomeOf(session: LiveSession, ask: AskOptions["ask"]): Promise<SessionOutcome> {
  const { info } = session;
  try {
    return { info, report: await ask(session), error: null };
  } catch (thrown) {
    return { info, report: null, error: toHotplugError(thrown) };
  }
}

/** An outcome as a document has it. */
export function outcomeField({ info, report, error }: SessionOutcome): SteeredSessionResult {
  return { session: info, report, error: error === null ? null : errorField(error) };
}

/**
 * The exit code of a command that asked sessions: 130 when it was given up, 1 when one of them could
 * not do it, or none answered. That one of several is hung is a failure only when told to be
 * `strict`, as is a server that failed.
 */
export function outcomesExitCode(outcomes: readonly SessionOutcome[], strict: boolean): number {
  const errors = outcomes.flatMap(({ error }) => error ?? []);
  const aborted = errors.find(({ code }) => code === "aborted");
  if (aborted !== undefined) return aborted.exitCode;
  const grave = errors.filter(({ code }) => code !== "session-silent" && code !== "unknown-server");
  const hasAnswer = outcomes.some(({ report }) => report !== null);
  if (grave.length > 0 || !hasAnswer) return 1;
  const hasFailed = errors.some(({ code }) => code === "session-silent") ||
    outcomes.some(({ report }) => (report?.errors.length ?? 0) > 0);
  return strict && hasFailed ? 1 : 0;
}

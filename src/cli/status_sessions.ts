import type { LiveSession } from "../control/live_sessions.ts";
import { HotplugError, toHotplugError } from "../model/errors.ts";
import type { ServerState } from "../model/server_state.ts";
import type { ServerView } from "../model/server_view.ts";
import type { Paint } from "./colour.ts";
import { type Column, tableLines } from "./columns.ts";
import { shownDuration } from "./duration.ts";
import { errorLines } from "./error_text.ts";
import { findSessions, type SessionChoice } from "./find_sessions.ts";
import { shownNames } from "./server_answers.ts";
import { shownHost } from "./session_text.ts";
import { shownLine } from "./shown.ts";
import type { ShownSession } from "./shown_session.ts";

/** Milliseconds that a session has to tell how it stands: it has only to look. */
const PATIENCE_MS = 2_000;

/**
 * How the live sessions that are meant stand, the oldest first. A hung one is among them with its
 * error.
 * @throws {HotplugError} What {@linkcode findSessions} does; `aborted`.
 */
export async function lookAtSessions(choice: SessionChoice): Promise<readonly ShownSession[]> {
  const sessions = await findSessions(choice);
  const shown = await Promise.all(sessions.map((session) => lookAt(session, choice.signal)));
  return shown.filter((session) => session !== null);
}

async function lookAt(session: LiveSession, signal: AbortSignal): Promise<ShownSession | null> {
  try {
    return { ...await session.status({ signal, patienceMs: PATIENCE_MS }), error: null };
  } catch (thrown) {
    const error = toHotplugError(thrown);
    if (error.code === "aborted") throw error;
    if (error.code === "no-session") return null;
    return {
      session: session.info,
      generation: null,
      tools: null,
      servers: [],
      error: error.toInfo(),
    };
  }
}

/** Rows that tell of a server whether a live session has paused it. */
export function withPauses(
  views: readonly ServerView[],
  sessions: readonly ShownSession[],
): readonly ServerView[] {
  const paused = new Set(sessions.flatMap(({ servers }) => pausedNames(servers)));
  return views.map((view) => paused.has(view.name) ? { ...view, paused: true } : view);
}

function pausedNames(servers: readonly ServerView[]): readonly string[] {
  return servers.filter(({ paused }) => paused).map(({ name }) => name);
}

const COLUMNS: readonly Column[] = [
  { title: "SESSION" },
  { title: "HOST", most: 24, least: 8 },
  { title: "PID", align: "right", spare: 2 },
  { title: "SINCE", align: "right", spare: 1 },
  { title: "TOOLS", align: "right" },
  { title: "SERVERS", most: 80 },
];

/** The live sessions, a line each; none without them. */
export function sessionsTable(
  sessions: readonly ShownSession[],
  { paint, width, now }: {
    readonly paint: Paint;
    readonly width: number | null;
    readonly now: number;
  },
): readonly string[] {
  if (sessions.length === 0) return [];
  const rows = sessions.map(({ session, tools, servers, error }) => [
    { text: shownLine(session.id) },
    { text: shownHost(session) },
    { text: String(session.pid) },
    { text: shownDuration(now - session.startedAt) },
    { text: tools === null ? "-" : String(tools) },
    { text: error === null ? counts(servers) : "no answer" },
  ]);
  const [heading = "", ...lines] = tableLines(COLUMNS, rows, {
    ...(width === null ? {} : { width }),
    paintTitle: (text) => paint("bold", text),
  });
  const details = (error: ShownSession["error"] | undefined): readonly string[] =>
    error ? errorLines(error, { indent: "  ", paint }) : [];
  return [heading, ...lines.flatMap((line, index) => [line, ...details(sessions[index]?.error)])];
}

/** What is off is no concern of a session. */
const UNTOLD: ReadonlySet<ServerState> = new Set<ServerState>([
  "disabled",
  "filtered",
  "blocked",
  "duplicate",
]);

/** `3 connected, 1 error: broken, 1 paused: mail`. */
function counts(servers: readonly ServerView[]): string {
  const byState = Map.groupBy(
    servers.filter(({ state }) => !UNTOLD.has(state)),
    ({ state }) => state,
  );
  const parts = [...byState].map(([state, rows]) => {
    const names = state === "connected" ? "" : `: ${shownNames(rows.map(({ name }) => name))}`;
    return `${rows.length} ${state}${names}`;
  });
  return parts.length === 0 ? "none" : parts.join(", ");
}

/** The same for scripts, one line each. */
export function sessionsPlain(sessions: readonly ShownSession[]): readonly string[] {
  return sessions.map(({ session, tools, servers, error }) => {
    const { id, pid } = session;
    const paused = pausedNames(servers).map(shownLine).join(",");
    const words = [
      `session=${shownLine(id)}`,
      `host=${shownHost(session)}`,
      `pid=${pid}`,
      `tools=${tools ?? "-"}`,
      `paused=${paused === "" ? "-" : paused}`,
    ];
    if (error !== null) words.push(`error=${shownLine(error.message)}`);
    return words.join(" ");
  });
}

/** Nobody is asked after the user gave up; what was found by then stands. */
export async function untilAborted(
  sessions: Promise<readonly ShownSession[]>,
): Promise<readonly ShownSession[]> {
  try {
    return await sessions;
  } catch (thrown) {
    if (thrown instanceof HotplugError && thrown.code === "aborted") return [];
    throw thrown;
  }
}

import { HotplugError, toHotplugError } from "../model/errors.ts";
import type { LoadedConfigs, PlannedServer } from "../model/plan.ts";
import type { ServerState } from "../model/server_state.ts";
import type { ServerView } from "../model/server_view.ts";
import type { SessionOptions } from "./session_options.ts";

/** States of rows that run, or would once their user has had a say. */
const MAY_COME: ReadonlySet<PlannedServer["verdict"]["state"]> = new Set(
  ["run", "untrusted", "needs-input"] as const,
);

/** What was loaded, without the servers that a session leaves out: their rows say why. Pure. */
export function sessionConfigs(
  loaded: LoadedConfigs,
  leaveOut: SessionOptions["leaveOut"],
): LoadedConfigs {
  if (leaveOut === undefined) return loaded;
  const servers = loaded.plan.servers.map((planned): PlannedServer => {
    const reason = MAY_COME.has(planned.verdict.state) ? whyLeftOut(planned, leaveOut) : null;
    if (reason === null) return planned;
    const { message, hint } = typeof reason === "string" ? { message: reason, hint: null } : reason;
    const error = new HotplugError("server-not-runnable", message, { hint });
    return {
      ...planned,
      launch: null,
      verdict: { state: "filtered", reason: error.toInfo() },
    };
  });
  const kept = new Set(servers.flatMap(({ name, launch }) => launch === null ? [] : [name]));
  return withConfigs({ ...loaded, plan: { ...loaded.plan, servers } }, (name) => kept.has(name));
}

/** Why a server is left out. When the host cannot tell, its servers must not start unasked. */
function whyLeftOut(
  server: PlannedServer,
  leaveOut: NonNullable<SessionOptions["leaveOut"]>,
): ReturnType<typeof leaveOut> {
  try {
    return leaveOut(server);
  } catch (thrown) {
    return `The host cannot tell whether it takes part: ${toHotplugError(thrown).message}`;
  }
}

/** What was loaded, without what is paused: its rows stay. Pure. */
export function unpaused(loaded: LoadedConfigs, paused: ReadonlySet<string>): LoadedConfigs {
  return paused.size === 0 ? loaded : withConfigs(loaded, (name) => !paused.has(name));
}

/** States that say more of a row than that it is paused. */
const ABOVE_PAUSE: ReadonlySet<ServerState> = new Set<ServerState>([
  "missing",
  "duplicate",
  "blocked",
  "disabled",
  "filtered",
]);

/** A row as the session shows it: whether it paused the server. Pure. */
export function sessionView(view: ServerView, paused: ReadonlySet<string>): ServerView {
  if (!paused.has(view.name)) return view;
  if (ABOVE_PAUSE.has(view.state)) return { ...view, paused: true };
  return { ...view, state: "paused", paused: true, error: null, nextAttemptAt: null };
}

function withConfigs(loaded: LoadedConfigs, keeps: (name: string) => boolean): LoadedConfigs {
  const kept = <Value>(record: Readonly<Record<string, Value>>): Record<string, Value> =>
    Object.fromEntries(Object.entries(record).filter(([name]) => keeps(name)));
  return { ...loaded, configs: kept(loaded.configs), sources: kept(loaded.sources) };
}

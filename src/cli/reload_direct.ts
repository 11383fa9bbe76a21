import { toolChanges } from "../cache/tool_changes.ts";
import { startupTimeout } from "../definitions/timeouts.ts";
import type { ErrorInfo, HotplugError } from "../model/errors.ts";
import { toHotplugError } from "../model/errors.ts";
import type { LoadedConfigs, PlannedServer } from "../model/plan.ts";
import type { ServerView } from "../model/server_view.ts";
import { plannedView } from "../model/server_view.ts";
import { type RefreshReport, type ReloadedServer, WAITING_STATES } from "../model/session_view.ts";
import type { ToolInfo } from "../model/listing.ts";
import type { CliContext } from "./context.ts";
import type { Discovered } from "./discovery.ts";
import { remembered, rememberedTools } from "./remembered.ts";
import type { Running } from "./running.ts";
import { viewError } from "./server_answers.ts";
import { chooseServers, notRunnable, restricted } from "./server_choice.ts";
import { namedTools, type ServerTools } from "./tools_answer.ts";
import { waitingLine } from "./waiting_line.ts";

/** What a reload without a session gave. */
export interface DirectReload {
  /** What it led to. */
  readonly report: RefreshReport;
  /** Why it ended before it was done; `null` when it did not. */
  readonly error: HotplugError | null;
}

/** Milliseconds that a reload waits beyond its slowest server. */
const BEYOND_MS = 10_000;

/**
 * Does what a session would: starts every server that may run, or those that are named, reads their
 * lists, and stops them again. What is remembered of them is written anew on the way.
 * @param wait Longest wait in milliseconds. Default: 10 s beyond the slowest server.
 * @throws {HotplugError} `unknown-server`; `server-not-runnable` for one that is named and may not
 * run.
 */
export async function reloadDirect(
  context: CliContext,
  discovered: Discovered,
  { names, wait, print }: {
    readonly names: readonly string[];
    readonly wait: number | undefined;
    readonly print: (reload: DirectReload) => number;
  },
): Promise<number> {
  const { plan } = discovered.loaded;
  const chosen = chooseServers(plan, names);
  const stopped = names.length === 0 ? undefined : chosen.find(({ launch }) => launch === null);
  if (stopped !== undefined) throw notRunnable(stopped, plan);
  const begun = performance.now();
  const before = await listsBefore(discovered);
  const loaded = restricted(discovered.loaded, chosen);
  const waitMs = wait ?? slowest(loaded) + BEYOND_MS;
  const { stillStarting, within, withServers } = await import("./running.ts");
  return await withServers(context, discovered, { loaded }, async (
    running,
  ) => {
    let error: HotplugError | null = null;
    const quiet = waitingLine(context.output.stderr, {
      names: () => stillStarting(running.manager),
      verbose: false,
    });
    try {
      await within(running.settled(), waitMs);
    } catch (thrown) {
      error = toHotplugError(thrown);
    } finally {
      quiet();
    }
    const report = directReport(running, { loaded, before, waitMs });
    const elapsedMs = Math.round(performance.now() - begun);
    return print({ report: { ...report, elapsedMs }, error });
  });
}

/** What is remembered of each server that may run, in plan order. */
async function listsBefore(discovered: Discovered): Promise<readonly ServerTools[]> {
  const { servers } = discovered.loaded.plan;
  const known = await remembered(discovered, servers);
  return servers.map((planned) => {
    const entry = known.get(planned.name);
    const { name, state, error, warnings } = plannedView(planned);
    const tools = entry === undefined ? null : rememberedTools(planned, entry);
    return { planned, name, state, error, warnings, tools, cachedAgeMs: null };
  });
}

function directReport(
  { manager }: Running,
  { loaded, before, waitMs }: {
    readonly loaded: LoadedConfigs;
    readonly before: readonly ServerTools[];
    readonly waitMs: number;
  },
): RefreshReport {
  const views = new Map(manager.getServers().map((view) => [view.name, view]));
  const after = before.map((one): ServerTools => {
    if (views.get(one.name)?.state !== "connected") return one;
    const tools = manager.getTools().filter(({ server }) => server === one.name);
    return { ...one, tools: tools.map(({ info }) => info) };
  });
  const [old, now] = [publicTools(before), publicTools(after)];
  const isIdle = loaded.plan.servers.every(({ launch }) => launch === null);
  const servers = loaded.plan.servers.flatMap((planned): readonly ReloadedServer[] => {
    if (planned.launch !== null) return [startedRow(planned, views.get(planned.name), waitMs)];
    const { name, state, tools, error } = plannedView(planned);
    // Where nothing runs at all each server says why.
    return isIdle || WAITING_STATES.has(state)
      ? [{ name, action: "none", state, tools, error }]
      : [];
  });
  return {
    ...toolChanges(old, now),
    generation: 0,
    before: old.length,
    after: now.length,
    host: null,
    servers,
    errors: [
      ...loaded.plan.sources.flatMap(({ path, error }) => error === null ? [] : [{ path, error }]),
      ...loaded.plan.servers.flatMap(({ name, verdict }) =>
        verdict.state === "error" && verdict.reason !== null
          ? [{ path: `mcp:${name}`, error: verdict.reason }]
          : []
      ),
      ...servers.flatMap(({ name, action, error }) =>
        error === null || action === "none" ? [] : [failed(name, error)]
      ),
    ],
    elapsedMs: 0,
  };
}

function failed(name: string, error: ErrorInfo): RefreshReport["errors"][number] {
  return { path: `mcp:${name}`, error };
}

/** The tools by the names that models call them by. */
function publicTools(servers: readonly ServerTools[]): readonly ToolInfo[] {
  return namedTools(servers).map(({ publicName, info }) => ({ ...info, name: publicName }));
}

function startedRow(
  planned: PlannedServer,
  view: ServerView | undefined,
  waitMs: number,
): ReloadedServer {
  const { name, state, tools } = view ?? plannedView(planned);
  const error = view === undefined ? null : viewError(view, waitMs);
  return { name, action: "started", state, tools, error };
}

/** Milliseconds that the slowest of the servers may take to start. */
function slowest({ configs }: LoadedConfigs): number {
  return Math.max(0, ...Object.values(configs).map(startupTimeout));
}

import type { ErrorInfo } from "../model/errors.ts";
import type { LoadedConfigs } from "../model/plan.ts";
import type { ServerView } from "../model/server_view.ts";
import { type RefreshReport, type ReloadedServer, WAITING_STATES } from "../model/session_view.ts";
import type { ToolSet } from "../model/tool_set.ts";
import type { MCPManager } from "../runtime/manager.ts";
import type { Reconciled } from "../runtime/reconcile_servers.ts";
import { fileErrors, invalidErrors, serverErrors } from "./load_errors.ts";

/** How something is done with servers. */
export interface ReportOptions {
  /** Ends the waiting. */
  readonly asked?: AbortSignal | undefined;
  /** The set before it, which has been exchanged already; absent: it is kept until all is done. */
  readonly before?: ToolSet;
  /** Whether all was read anew, so that what does not run is told of, too. Default `false`. */
  readonly isReload?: boolean;
}

/** What was done with servers; what is absent was done with none. */
export interface Touched extends Partial<Omit<Reconciled, "changed">> {
  /** Servers that somebody asked for, whether they may run or not. */
  readonly asked?: readonly string[];
}

/**
 * Every server that was touched or goes on, in the order of the rows, then what is gone; and what was
 * asked for and may not run. After a reload what only its user can help, too, and what is new here
 * but does not run.
 *
 * @param told Names of the rows before a reload; `null` after anything else.
 */
export function reloadedServers(
  { started = [], restarted = [], stopped = [], kept = [], asked = [] }: Touched,
  views: readonly ServerView[],
  told: ReadonlySet<string> | null,
): readonly ReloadedServer[] {
  const actions = new Map<string, ReloadedServer["action"]>([
    ...kept.map((name) => [name, "kept"] as const),
    ...stopped.map((name) => [name, "stopped"] as const),
    ...started.map((name) => [name, "started"] as const),
    ...restarted.map((name) => [name, "restarted"] as const),
  ]);
  const rows = new Map(views.map((view) => [view.name, view]));
  const names = new Set([...views.map(({ name }) => name), ...actions.keys()]);
  return [...names].flatMap((name) => {
    const row = rows.get(name);
    const isWorthSaying = asked.includes(name) || (told !== null && row !== undefined &&
      (WAITING_STATES.has(row.state) || !told.has(name)));
    const action = actions.get(name) ?? (isWorthSaying ? "none" : undefined);
    if (action === undefined) return [];
    const { state = "disconnected", tools = null, error = null } = row ?? {};
    return [{ name, action, state, tools, error }];
  });
}

/**
 * What went wrong: files that cannot be used, servers that failed, and after a reload definitions
 * that are invalid.
 */
export function reportErrors(
  loaded: LoadedConfigs | null,
  failed: ReadonlyMap<string, ErrorInfo>,
  isReload: boolean,
): RefreshReport["errors"] {
  return [
    ...fileErrors(loaded),
    ...(isReload && loaded !== null ? invalidErrors(loaded) : []),
    ...serverErrors(failed),
  ];
}

/** Why each of these servers failed, by name. */
export function failures(
  manager: MCPManager,
  names: readonly string[],
): ReadonlyMap<string, ErrorInfo> {
  return new Map(
    manager.getServers().flatMap(({ name, error }) =>
      error === null || !names.includes(name) ? [] : [[name, error] as const]
    ),
  );
}

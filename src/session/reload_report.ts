import type { ErrorInfo } from "../model/errors.ts";
import type { ServerView } from "../model/server_view.ts";
import { type ReloadedServer, WAITING_STATES } from "../model/session_view.ts";
import type { MCPManager } from "../runtime/manager.ts";
import type { Reconciled } from "../runtime/reconcile_servers.ts";

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

import type { ErrorInfo } from "../model/errors.ts";
import type { ServerView } from "../model/server_view.ts";
import type { ReloadedServer } from "../model/session_view.ts";
import type { MCPManager } from "../runtime/manager.ts";
import type { Reconciled } from "../runtime/reconcile_servers.ts";

/** What was done with servers; what is absent was done with none. */
export type Touched = Partial<Omit<Reconciled, "changed">>;

/** What was done, and servers that were asked for though they may not run: their rows say why. */
export function withAsked(done: Reconciled, asked: readonly string[]): Touched {
  const { started, restarted, stopped, kept } = done;
  const touched = new Set([...started, ...restarted, ...stopped, ...kept]);
  return { ...done, kept: [...kept, ...asked.filter((name) => !touched.has(name))] };
}

/** Every server that was touched or goes on, in the order of the rows, then what is gone. */
export function reloadedServers(
  { started = [], restarted = [], stopped = [], kept = [] }: Touched,
  views: readonly ServerView[],
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
    const action = actions.get(name);
    if (action === undefined) return [];
    const { state = "disconnected", tools = null, error = null } = rows.get(name) ?? {};
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

import { toHotplugError } from "../model/errors.ts";
import { recordsFolder } from "../platform/run_record.ts";
import { Attempts } from "./attempts.ts";
import { endServer } from "./end_server.ts";
import { FURTHER_LISTS } from "./further_lists.ts";
import { announcedLists } from "./list_updates.ts";
import type { MCPManagerOptions } from "./manager_options.ts";
import { OrphanSweep } from "./orphan_sweep.ts";
import { PermissionWatch } from "./permission_watch.ts";
import type { RuntimeParts } from "./runtime_parts.ts";
import { ServerCalls } from "./server_calls.ts";
import { ServerRegistries } from "./server_registries.ts";
import { ServerRows } from "./server_rows.ts";
import { startContext } from "./start_context.ts";
import { ToolView } from "./tool_view.ts";

/** What a manager is made of. */
export interface ManagerParts extends RuntimeParts {
  /** Starts servers and follows each to its end. */
  readonly attempts: Attempts;
  /** Calls servers. */
  readonly calls: ServerCalls;
  /** Ends what killed hosts have left. */
  readonly sweep: OrphanSweep;
  /** Asks anew whether servers may run; `null` when nobody says so. */
  readonly watch: PermissionWatch | null;
}

/** Puts a manager together. Nothing is read and nothing starts. */
export function managerParts(options: MCPManagerOptions): ManagerParts {
  /** Calls into the host; what it throws must not stop us. */
  const tell = (call: () => void): void => {
    try {
      call();
    } catch (error) {
      context.log.log("error", "A callback of the host has thrown", {
        cause: toHotplugError(error).message,
      });
    }
  };
  const context = startContext(options, (server, notification) => {
    attempts.announce(server, announcedLists(notification.method));
    tell(() => options.onNotification?.(server, notification));
  });
  const rows = new ServerRows(context.clock, (name) => {
    const view = rows.view(name);
    if (view !== undefined) tell(() => options.onServer?.(view));
  });
  const registries = new ServerRegistries(rows);
  const tools: ToolView = new ToolView(
    {
      live: (server) => calls.caller(server),
      awaited: async (server, signal) => {
        await registries.waitFor(server, signal);
        return calls.caller(server);
      },
    },
    { cacheFolder: context.folders.cache },
    options.naming ?? "prefixed",
  );
  const parts: RuntimeParts = {
    registries,
    tools,
    context,
    furtherLists: options.furtherLists ?? FURTHER_LISTS,
    onToolsChanged: () => tell(() => options.onToolsChanged?.()),
  };
  const attempts = new Attempts(parts);
  const calls = new ServerCalls({
    registries,
    tools,
    permission: context.permission,
    block: (name, reason) => endServer(name, attempts, parts, reason),
  });
  const sweep = new OrphanSweep(context.clock, context.log, recordsFolder(context.folders));
  const watch = options.mayRun === undefined ? null : new PermissionWatch(
    context.clock,
    () => calls.recheck(),
    () => registries.connections.size + registries.pendingToolLoads.size > 0,
  );
  return { ...parts, attempts, calls, sweep, watch };
}

import type { AuthStorage } from "../model/auth.ts";
import type { ToolCache } from "../model/cache.ts";
import type { JsonObject } from "../model/json.ts";
import type { Logger } from "../model/log.ts";
import type { HotplugFolders, Machine } from "../model/machine.ts";
import type { ServerNotification } from "../model/connection.ts";
import { fileToolCache } from "../cache/file_tool_cache.ts";
import { silentLogger } from "../model/log.ts";
import { hotplugFolders } from "../platform/folders.ts";
import { currentMachine } from "../platform/machine.ts";
import { type Clock, machineClock } from "./clock.ts";
import { LaunchRecord } from "./launch_record.ts";
import type { MCPManagerOptions } from "./manager_options.ts";
import { RunPermission } from "./run_permission.ts";

/** What every start of a server needs besides its definition. */
export interface StartContext {
  /** The machine: environment, home, platform. */
  readonly machine: Machine;
  /** Hotplug's own folders. */
  readonly folders: HotplugFolders;
  /** Root of the workspace, for placeholders. */
  readonly workspacePath: string;
  /** What servers listed before; `null` to remember nothing. */
  readonly toolCache: ToolCache | null;
  /** The host's credentials for remote servers. */
  readonly authStorage: AuthStorage | null;
  /** Client capabilities declared to servers. */
  readonly capabilities: JsonObject;
  /** How the host calls itself; the connection's default when absent. */
  readonly clientInfo: { readonly name: string; readonly version: string } | undefined;
  /** Asked whether a server may run. */
  readonly permission: RunPermission;
  /** What each server's last attempt was started with. */
  readonly launches: LaunchRecord;
  /** Where oddities are written. */
  readonly log: Logger;
  /** Time. */
  readonly clock: Clock;
  /** Called for each notification that a server sends by itself. */
  readonly onNotification: (server: string, notification: ServerNotification) => void;
}

/** The context that a manager's options describe, every default filled in. */
export function startContext(
  options: MCPManagerOptions,
  onNotification: StartContext["onNotification"],
): StartContext {
  const machine = options.machine ?? currentMachine();
  const folders = options.folders ?? hotplugFolders(machine);
  return {
    machine,
    folders,
    workspacePath: options.workspacePath ?? machine.cwd,
    toolCache: options.toolCache === undefined ? fileToolCache(folders.cache) : options.toolCache,
    authStorage: options.authStorage ?? null,
    capabilities: options.capabilities ?? {},
    clientInfo: options.clientInfo,
    permission: new RunPermission(options.mayRun),
    launches: new LaunchRecord(),
    log: options.log ?? silentLogger,
    clock: options.clock ?? machineClock,
    onNotification,
  };
}

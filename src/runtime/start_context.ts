import type { AuthStorage } from "../model/auth.ts";
import type { ToolCache } from "../model/cache.ts";
import type { HostHandlers } from "../model/host_handlers.ts";
import type { JsonObject } from "../model/json.ts";
import type { Logger } from "../model/log.ts";
import type { HotplugFolders, Machine } from "../model/machine.ts";
import type { ServerNotification } from "../model/connection.ts";
import type { WireTrace } from "../model/wire_trace.ts";
import { fileToolCache } from "../cache/file_tool_cache.ts";
import { clientCapabilities } from "../connection/client_capabilities.ts";
import { AskedHooks } from "../interceptors/asked_hooks.ts";
import { hostLogger } from "../model/log.ts";
import { hotplugFolders } from "../platform/folders.ts";
import { currentMachine } from "../platform/machine.ts";
import { logFolder } from "../platform/log_folder.ts";
import { fileServerLogs } from "../platform/server_logs.ts";
import { type Clock, machineClock } from "./clock.ts";
import { LastingWishes } from "./lasting_wishes.ts";
import { LogStash } from "./log_stash.ts";
import { LaunchRecord } from "./launch_record.ts";
import type { MCPManagerOptions } from "./manager_options.ts";
import { RunPermission } from "./run_permission.ts";
import { hostTeller, type TellHost } from "./tell_host.ts";
import { StartLogs } from "./start_logs.ts";
import { Telemetry } from "./telemetry.ts";

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
  /** Variables that each server's process gets whatever else its environment is. */
  readonly childEnvironment: NonNullable<MCPManagerOptions["childEnvironment"]>;
  /** Ids of the sessions around the servers, the own one last. */
  readonly chain: readonly string[];
  /** What the host can do for servers. */
  readonly handlers: HostHandlers | undefined;
  /** Client capabilities declared to servers, those of the handlers included. */
  readonly capabilities: JsonObject;
  /** How the host calls itself; the connection's default when absent. */
  readonly clientInfo: { readonly name: string; readonly version: string } | undefined;
  /** Asked whether a server may run. */
  readonly permission: RunPermission;
  /** The host's and the user's hooks. */
  readonly hooks: AskedHooks;
  /** What each server's last attempt was started with. */
  readonly launches: LaunchRecord;
  /** Where oddities are written. */
  readonly log: Logger;
  /** Calls into the host. */
  readonly tell: TellHost;
  /** What happens to servers, for their users to read. */
  readonly logs: StartLogs;
  /** Gets every message from and to servers. */
  readonly trace: WireTrace | undefined;
  /** Makes spans of what is asked of servers. */
  readonly telemetry: Telemetry;
  /** Time. */
  readonly clock: Clock;
  /** Called for each notification that a server sends by itself. */
  readonly onNotification: (server: string, notification: ServerNotification) => void;
  /** Told of each change of a resource that is subscribed to. */
  readonly onResourceUpdated: (server: string, uri: string) => void;
  /** The servers' log lines. */
  readonly stash: LogStash;
  /** What servers are told over every connection. */
  readonly wishes: LastingWishes;
}

/** The context that a manager's options describe, every default filled in. */
export function startContext(
  options: MCPManagerOptions,
  onNotification: StartContext["onNotification"],
): StartContext {
  const machine = options.machine ?? currentMachine();
  const folders = options.folders ?? hotplugFolders(machine);
  const log = hostLogger(options.log);
  const tell = hostTeller(log);
  const workspacePath = options.workspacePath ?? machine.cwd;
  const clock = options.clock ?? machineClock;
  const files = fileServerLogs(logFolder(folders), {
    onFailure: (reason) => log.log("warn", "Cannot keep the logs of servers", { cause: reason }),
  });
  return {
    machine,
    folders,
    workspacePath,
    toolCache: options.toolCache === undefined ? fileToolCache(folders.cache) : options.toolCache,
    authStorage: options.authStorage ?? null,
    childEnvironment: options.childEnvironment ?? ((): Record<string, string> => ({})),
    chain: options.chain ?? [],
    handlers: options.handlers,
    capabilities: clientCapabilities(options.handlers, options.capabilities),
    clientInfo: options.clientInfo,
    permission: new RunPermission(options.mayRun),
    hooks: new AskedHooks({ hooks: options.hooks, workspacePath, clock, log }),
    log,
    tell,
    logs: new StartLogs(options.logs === undefined ? files : options.logs, workspacePath),
    trace: options.trace,
    telemetry: new Telemetry(options.tracer),
    launches: new LaunchRecord(),
    clock,
    onNotification,
    onResourceUpdated: (server, uri) => tell(() => options.onResourceUpdated?.(server, uri)),
    stash: new LogStash(options.onLogMessage, tell),
    wishes: new LastingWishes(options.loggingLevel ?? null),
  };
}

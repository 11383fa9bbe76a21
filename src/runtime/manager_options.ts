import type { AuthStorage } from "../model/auth.ts";
import type { ToolCache } from "../model/cache.ts";
import type { ServerNotification } from "../model/connection.ts";
import type { ServerConfig } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import type { HostHandlers } from "../model/host_handlers.ts";
import type { JsonObject } from "../model/json.ts";
import type { ListKind } from "../model/listing.ts";
import type { Logger } from "../model/log.ts";
import type { HotplugFolders, Machine } from "../model/machine.ts";
import type { LoadedConfigs, Plan } from "../model/plan.ts";
import type { MayRun } from "../model/run_candidate.ts";
import type { SourceInfo } from "../model/source.ts";
import type { LoggingLevel, LogMessage } from "../model/log_message.ts";
import type { ServerLogs } from "../model/server_log.ts";
import type { ServerView } from "../model/server_view.ts";
import type { TelemetryTracer } from "../model/telemetry.ts";
import type { Tool } from "../model/tool.ts";
import type { WireTrace } from "../model/wire_trace.ts";
import type { NamingStyle } from "../tools/public_name.ts";
import type { GivenHooks } from "../interceptors/asked_hooks.ts";
import type { Clock } from "./clock.ts";
import type { Reconciled, ReconcileOptions } from "./reconcile_servers.ts";

/** Something that lives as long as a manager's servers. */
export interface ManagerCompanion {
  /** Called whenever servers were connected, so perhaps many times. Must not throw. */
  start(manager: {
    /** Brings what runs to what was loaded. */
    reconcile(loaded: LoadedConfigs, options?: ReconcileOptions): Promise<Reconciled>;
  }): void;
  /** Called before all servers are disconnected. Bounded, idempotent. */
  stop(): Promise<void>;
}

/** How a manager is set up. Everything has a default. */
export interface MCPManagerOptions {
  /** The machine. Default: this one. */
  readonly machine?: Machine;
  /** Hotplug's own folders. Default: the machine's usual ones. */
  readonly folders?: HotplugFolders;
  /** Root of the workspace, for placeholders. Default: the current folder. */
  readonly workspacePath?: string;
  /** Where lists are remembered; `null` remembers nothing. Default: files in the cache folder. */
  readonly toolCache?: ToolCache | null;
  /** The host's credentials for remote servers. Default: none. */
  readonly authStorage?: AuthStorage | null;
  /** How {@linkcode MCPManager.discoverAndConnect} finds definitions. Default: it rejects. */
  readonly discover?: (options: { readonly signal?: AbortSignal | undefined }) => Promise<
    LoadedConfigs
  >;
  /**
   * Says which servers may not run: asked before each start and before each call. Default: all
   * may. `discoverAndLoadMCPTools` sets it to the policy of the machine.
   */
  readonly mayRun?: MayRun;
  /**
   * Asked before each start and before each call of a tool, after `mayRun`, and told of what
   * happens; a function gives those that count at the moment. Default: nobody is.
   * `discoverAndLoadMCPTools` and `createSession` ask those that the user's files name, too, and
   * these after them.
   */
  readonly hooks?: GivenHooks;
  /**
   * Whether a server that drops, or fails in a way that may pass, is tried again by itself: after
   * 0.5, 1, 2, 4 and 8 seconds, a remote one then every minute. A call tries at once. With `false`
   * a dropped connection stays registered and its calls fail, until `connectServers()` is called
   * again. Default: `true`.
   */
  readonly autoReconnect?: boolean;
  /** Spreads the waits between attempts; gives numbers from 0 to 1. Default: `Math.random`. */
  readonly random?: () => number;
  /**
   * Variables that the process of a server gets whatever else its environment is; they are no part
   * of what its lists are remembered under. Default: none.
   */
  readonly childEnvironment?: (config: ServerConfig) => Readonly<Record<string, string>>;
  /**
   * Random ids of the sessions around the servers, the host's own last: told to servers, so that a
   * gateway that is one of these sessions refuses to be its own server, and tools that come back
   * through one of them are not offered. Default: none; `createSession` makes an id.
   */
  readonly chain?: readonly string[];
  /** What the host can do for servers that ask it for something. Default: nothing. */
  readonly handlers?: HostHandlers;
  /** Client capabilities declared to every server beyond those of the handlers. Default: none. */
  readonly capabilities?: JsonObject;
  /** How the host calls itself to servers. Default: Hotplug and its version. */
  readonly clientInfo?: { readonly name: string; readonly version: string };
  /** Where oddities and late failures are written. Default: nowhere. */
  readonly log?: Logger;
  /**
   * Where is kept what servers write on stderr and in log notifications, and when they started and
   * ended; `null` keeps none. Default: files in the state folder, which `mcp logs` shows.
   */
  readonly logs?: ServerLogs | null;
  /** Gets every message from and to every server, known secrets replaced. Default: nobody. */
  readonly trace?: WireTrace | undefined;
  /**
   * Makes OpenTelemetry spans of connecting, listing and calling: names of tools and arguments, no
   * values; `null` makes none. Default: the tracer that the process has registered with
   * `@opentelemetry/api`, if it has.
   */
  readonly tracer?: TelemetryTracer | null;
  /** Milliseconds of the start gate. Default: 250. */
  readonly gateMs?: number;
  /**
   * What happens after the gate to a server that the cache knows nothing of: `wait` for it
   * (default), or let it join `late`.
   */
  readonly onMissingCache?: "wait" | "late";
  /** Lists read after the tools of a new connection. Default: all that the server declares. */
  readonly furtherLists?: readonly Exclude<ListKind, "tools">[];
  /** How public names of tools are made. Default: `prefixed`, that is `mcp_<server>_<tool>`. */
  readonly naming?: NamingStyle;
  /**
   * Names of the host's own tools, besides `bash`, `read_file`, `write_file` and `apply_patch`: with
   * the naming `bare` a server that has one of them is not offered. Default: none.
   */
  readonly reservedNames?: readonly string[];
  /** Time. Default: the machine's. */
  readonly clock?: Clock;
  /** What is started and stopped with the servers. Default: nothing. */
  readonly companions?: readonly ManagerCompanion[];
  /** Called with a server's row whenever it changes. What it throws is logged. */
  readonly onServer?: (view: ServerView) => void;
  /** Called when the tools on offer have changed. What it throws is logged. */
  readonly onToolsChanged?: () => void;
  /**
   * Called when a list of a server holds something else than before: it was read anew, comes from
   * the cache, or the server offers it no longer. Not when it was read anew and says the same. What
   * it throws is logged.
   */
  readonly onListed?: (server: string, kind: ListKind) => void;
  /**
   * Called for each notification of a server, as received, but for progress and what cancels
   * requests. What it throws is logged.
   */
  readonly onNotification?: (server: string, notification: ServerNotification) => void;
  /**
   * Gets the log lines that servers send. Default: the newest 500 are kept until somebody takes
   * them. What it throws is logged.
   */
  readonly onLogMessage?: (log: LogMessage) => void;
  /** Least grave log lines to ask servers for. Default: what they send by themselves. */
  readonly loggingLevel?: LoggingLevel;
  /** Told of each change of a resource that is subscribed to. What it throws is logged. */
  readonly onResourceUpdated?: (server: string, uri: string) => void;
}

/** What {@linkcode MCPManager.connectServers} takes besides definitions and their sources. */
export interface ConnectServersOptions {
  /** The plan behind the definitions: its other rows then stand in `getServers()` too. */
  readonly plan?: Plan | undefined;
  /** Ends the waiting and abandons the servers that this call started. */
  readonly signal?: AbortSignal | undefined;
}

/** How {@linkcode MCPManager.disconnectServer} ends a server. */
export interface DisconnectOptions {
  /** Milliseconds that calls get which run over its connection. Default: 0, they are cut. */
  readonly drainMs?: number | undefined;
  /** Ends the waiting; what goes on then does so in the background. */
  readonly signal?: AbortSignal | undefined;
}

/** How {@linkcode MCPManager.retryServer} starts a server. */
export interface RetryOptions {
  /** What to start it with. Default: what it was started with last, or what the plan says. */
  readonly definition?: {
    /** Placeholders unexpanded, `cwd` decided. */
    readonly config: ServerConfig;
    /** Where it is declared, if known. */
    readonly source: SourceInfo | undefined;
  } | undefined;
  /** Ends the waiting; the start goes on. */
  readonly signal?: AbortSignal | undefined;
}

/** What stands when the start gate has been passed. */
export interface ConnectServersResult {
  /** Tools of every server that is connected, or known from the cache and still on its way. */
  readonly tools: readonly Tool[];
  /** Why each failed server failed, by name. */
  readonly errors: ReadonlyMap<string, ErrorInfo>;
  /** Names of the servers that are connected. */
  readonly connectedServers: readonly string[];
}

import type { AuthStorage } from "../model/auth.ts";
import type { ToolCache } from "../model/cache.ts";
import type { ServerNotification } from "../model/connection.ts";
import type { ErrorInfo } from "../model/errors.ts";
import type { JsonObject } from "../model/json.ts";
import type { ListKind } from "../model/listing.ts";
import type { Logger } from "../model/log.ts";
import type { HotplugFolders, Machine } from "../model/machine.ts";
import type { LoadedConfigs, Plan } from "../model/plan.ts";
import type { MayRun } from "../model/run_candidate.ts";
import type { ServerView } from "../model/server_view.ts";
import type { Tool } from "../model/tool.ts";
import type { PrefixStyle } from "../tools/public_name.ts";
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
  /** Client capabilities declared to every server. Default: none. */
  readonly capabilities?: JsonObject;
  /** How the host calls itself to servers. Default: Hotplug and its version. */
  readonly clientInfo?: { readonly name: string; readonly version: string };
  /** Where oddities and late failures are written. Default: nowhere. */
  readonly log?: Logger;
  /** Milliseconds of the start gate. Default: 250. */
  readonly gateMs?: number;
  /**
   * What happens after the gate to a server that the cache knows nothing of: `wait` for it
   * (default), or let it join `late`.
   */
  readonly onMissingCache?: "wait" | "late";
  /** Lists read after the tools of a new connection. Default: all that the server declares. */
  readonly furtherLists?: readonly Exclude<ListKind, "tools">[];
  /** How public names of tools are made: `mcp_<server>_<tool>` (default), or a short `key`. */
  readonly naming?: PrefixStyle;
  /** Time. Default: the machine's. */
  readonly clock?: Clock;
  /** What is started and stopped with the servers. Default: nothing. */
  readonly companions?: readonly ManagerCompanion[];
  /** Called with a server's row whenever it changes. What it throws is logged. */
  readonly onServer?: (view: ServerView) => void;
  /** Called when the tools on offer have changed. What it throws is logged. */
  readonly onToolsChanged?: () => void;
  /** Called for each notification of a server. What it throws is logged. */
  readonly onNotification?: (server: string, notification: ServerNotification) => void;
}

/** What {@linkcode MCPManager.connectServers} takes besides definitions and their sources. */
export interface ConnectServersOptions {
  /** The plan behind the definitions: its other rows then stand in `getServers()` too. */
  readonly plan?: Plan | undefined;
  /** Ends the waiting and abandons the servers that this call started. */
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

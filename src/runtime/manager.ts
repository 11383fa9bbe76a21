import type { Completion, CompletionRef } from "../connection/calls.ts";
import { abortedError, unlessAborted } from "../model/abort.ts";
import type { MCPServerConnection } from "../model/connection.ts";
import type { ServerConfig } from "../model/definition.ts";
import { HotplugError } from "../model/errors.ts";
import type { ForwardOptions } from "../model/forward.ts";
import type { JsonObject } from "../model/json.ts";
import type { ListedItem, ToolInfo } from "../model/listing.ts";
import type { LoggingLevel } from "../model/log_message.ts";
import type { LoadedConfigs } from "../model/plan.ts";
import { type ConnectionStatus, connectionStatus } from "../model/server_state.ts";
import type { ServerView } from "../model/server_view.ts";
import type { SourceInfo } from "../model/source.ts";
import type { CallToolResult, RequestOptions, Tool } from "../model/tool.ts";
import { connectServers } from "./connect_servers.ts";
import { endAll } from "./end_all.ts";
import type {
  ConnectServersOptions,
  ConnectServersResult,
  DisconnectOptions,
  MCPManagerOptions,
  RetryOptions,
} from "./manager_options.ts";
import type { LogListener, StashedLogs } from "./log_stash.ts";
import { type ManagerParts, managerParts } from "./manager_parts.ts";
import type { Reconciled, ReconcileOptions, ServerReconciler } from "./reconcile_servers.ts";
import type { CompletionArgument, CompletionOptions } from "./server_calls.ts";
import type { ServerLives } from "./server_lives.ts";
import type { ServerRegistries } from "./server_registries.ts";
import { restartServer } from "./restart_server.ts";

/**
 * Connects to servers side by side and keeps what they offer. One server's failure never costs
 * another its tools. Whoever holds a manager ends it: `await using`, or `disconnectAll()`.
 *
 * A connection that drops is opened again by itself, its tools stay listed, and calls wait for it:
 * see the option `autoReconnect`, and docs/life_cycle.md for all that can happen to a server.
 */
export class MCPManager implements AsyncDisposable {
  readonly #parts: ManagerParts;
  readonly #registries: ServerRegistries;
  readonly #lives: ServerLives;
  /** Loaded for the first change of definitions; most hosts never see one. */
  #reconciler: ServerReconciler | null = null;
  readonly #options: MCPManagerOptions;
  /** How often all was ended. */
  #ends = 0;

  /** A manager without servers. Nothing is read and nothing starts. */
  constructor(options: MCPManagerOptions = {}) {
    this.#options = options;
    this.#parts = managerParts(options);
    this.#registries = this.#parts.registries;
    this.#lives = this.#parts.lives;
  }

  /**
   * Finds the definitions and connects to those that may run.
   * @throws {HotplugError} `discovery-failed`, or whatever the `discover` option throws.
   */
  async discoverAndConnect(
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<ConnectServersResult & { readonly exaApiKeys: readonly string[] }> {
    if (this.#options.discover === undefined) {
      throw new HotplugError("discovery-failed", "Cannot discover servers: no way is set", {
        hint: "Give the manager a discover option, or use discoverAndLoadMCPTools()",
      });
    }
    const { configs, sources, plan, exaApiKeys } = await this.#options.discover(options);
    return { ...await this.connectServers(configs, sources, { ...options, plan }), exaApiKeys };
  }

  /**
   * Starts every server that is neither connected nor on its way, side by side, and returns when
   * the start gate has been passed. Servers that are then still on their way go on in the
   * background; their tools are exchanged when they arrive. Idempotent, one attempt a server.
   * A server that is up or on its way stays as it was started, whatever its definition now is: end
   * it first to start it with another.
   * @throws {HotplugError} `aborted`, after what this call started has been closed.
   */
  async connectServers(
    configs: Readonly<Record<string, ServerConfig>>,
    sources: Readonly<Record<string, SourceInfo>> = {},
    options: ConnectServersOptions = {},
  ): Promise<ConnectServersResult> {
    return await connectServers(this.#parts, this.#options, { configs, sources, options }, {
      isEnded: this.#endsSince(),
      companion: this,
    });
  }

  /**
   * Brings what runs to what was loaded, touching only what differs; servers that stand in no plan
   * stay. One at a time. Returns when everything is on its way.
   * @throws {HotplugError} `aborted`.
   */
  async reconcile(loaded: LoadedConfigs, options: ReconcileOptions = {}): Promise<Reconciled> {
    const isEnded = this.#endsSince();
    const { ServerReconciler } = await import("./reconcile_servers.ts");
    if (isEnded()) throw abortedError(options.signal);
    this.#reconciler ??= new ServerReconciler(this.#parts);
    return await this.#reconciler.reconcile(loaded, options);
  }

  /**
   * Resolves when no server is on its way any more and all lists are read, or when the signal
   * aborts. Never rejects. The cache may still be being written; `disconnectAll()` waits for that.
   */
  async settled(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    await unlessAborted(this.#lives.settled(), options.signal).catch(() => {});
  }

  /** The row of every known server, the plan's rows that do not run included, in order. */
  getServers(): readonly ServerView[] {
    return this.#registries.rows.names().flatMap((name) => this.#registries.rows.view(name) ?? []);
  }

  /** Whether the cache knows that a server's last start failed, and nothing better is known since. */
  hasFailedBefore(server: string): boolean {
    const row = this.#registries.rows.get(server);
    return (row?.cached?.failure ?? null) !== null && row?.lists.tools === null;
  }

  /** The tools on offer, in the order of the servers. The same array until something changes. */
  getTools(): readonly Tool[] {
    return this.#parts.tools.all();
  }

  /** The tool that a public name means, or meant before a clash gave it another; else `null`. */
  findTool(name: string): Tool | null {
    return this.#parts.tools.named(name);
  }

  /** `connected` if registered as connected and alive, `connecting` if on its way, else `disconnected`. */
  getConnectionStatus(name: string): ConnectionStatus {
    const view = this.#registries.rows.view(name);
    return view === undefined ? "disconnected" : connectionStatus(view.state);
  }

  /** A server's connection, once its tools are listed; it may have dropped. */
  getConnection(name: string): MCPServerConnection | undefined {
    return this.#registries.connections.get(name);
  }

  /** Where a server is declared: known before it is connected. */
  getSource(name: string): SourceInfo | undefined {
    return this.#registries.sources.get(name);
  }

  /**
   * A server's connection, as soon as its handshake is done.
   * @throws {HotplugError} why it failed, `server-not-runnable`, `unknown-server`, `aborted`.
   */
  async waitForConnection(
    name: string,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<MCPServerConnection> {
    return await this.#parts.usable.get(name, options.signal);
  }

  /**
   * Calls a tool by the server's own name for it, waiting for the connection if need be.
   * @throws {HotplugError} `unknown-tool`, and what `waitForConnection` and the request throw.
   */
  async callTool(
    server: string,
    tool: string,
    args: JsonObject,
    options: RequestOptions = {},
  ): Promise<CallToolResult> {
    return await this.#parts.calls.callTool(server, tool, args, options);
  }

  /** Reads a resource; gives the result as received. */
  async readResource(
    server: string,
    uri: string,
    options: RequestOptions = {},
  ): Promise<JsonObject> {
    return await this.#parts.calls.readResource(server, uri, options);
  }

  /** Gets a prompt filled in with its arguments; gives the result as received. */
  async getPrompt(
    server: string,
    name: string,
    args: Readonly<Record<string, string>>,
    options: RequestOptions = {},
  ): Promise<JsonObject> {
    return await this.#parts.calls.getPrompt(server, name, args, options);
  }

  /** Asks a server for proposals for an argument of a prompt or of a resource template. */
  async complete(
    server: string,
    ref: CompletionRef,
    argument: CompletionArgument,
    options: CompletionOptions = {},
  ): Promise<Completion> {
    return await this.#parts.calls.complete(server, ref, argument, options);
  }

  /**
   * Sends a request to a server for somebody else, in their own words, and gives the result as
   * received: `tools/call`, `resources/read`, `prompts/get` or `completion/complete`. Of `_meta` all
   * is given on but the progress token and what tells of whoever sent it before.
   * @throws {HotplugError} `unknown-tool`, and what `waitForConnection` and the request throw.
   */
  async forward(
    server: string,
    method: string,
    params: JsonObject,
    options: ForwardOptions = {},
  ): Promise<JsonObject> {
    return await this.#parts.calls.forward(server, method, params, options);
  }

  /**
   * Asks a server whether it is there, and gives how many milliseconds the answer took.
   * @throws {HotplugError} what `waitForConnection` and the request throw.
   */
  async ping(server: string, options: RequestOptions = {}): Promise<number> {
    return await this.#parts.requests.ping(server, options);
  }

  /**
   * Subscribes to a resource: its changes are told to `onResourceUpdated`, over this connection and
   * every later one of the server.
   * @throws {HotplugError} `protocol-error` when the server does not tell of changes.
   */
  async subscribe(server: string, uri: string, options: RequestOptions = {}): Promise<void> {
    await this.#parts.requests.subscribe(server, uri, options);
  }

  /** Ends a subscription; also that of a server that is away. */
  async unsubscribe(server: string, uri: string, options: RequestOptions = {}): Promise<void> {
    await this.#parts.requests.unsubscribe(server, uri, options);
  }

  /** Asks a server for log lines of this level and graver ones, now and over later connections. */
  async setLogLevel(
    server: string,
    level: LoggingLevel | null,
    options: RequestOptions = {},
  ): Promise<void> {
    await this.#parts.requests.setLogLevel(server, level, options);
  }

  /** Gives the log lines that servers sent while no listener was set, the newest 500 at most. */
  takeLogs(): StashedLogs {
    return this.#parts.context.stash.take();
  }

  /**
   * Lets a listener have the log lines of all servers from now on, first those that were kept;
   * `null` keeps them again. Gives how many older ones were dropped.
   */
  listenToLogs(listener: LogListener | null): number {
    return this.#parts.context.stash.listen(listener);
  }

  /**
   * Tells all servers that asked for it that the host's roots have changed, but the one that has
   * them already, if any. Never rejects.
   */
  async rootsChanged(
    { except = null }: { readonly except?: string | null } = {},
  ): Promise<void> {
    await this.#parts.requests.rootsChanged(except);
  }

  /** A server's tools as listed, filters applied; empty for one that does not run. */
  listTools(server: string): readonly ToolInfo[] {
    return this.#parts.tools.toolsOf(server) ?? [];
  }

  /** A server's resources as last listed; empty for one that does not run. */
  listResources(server: string): readonly ListedItem[] {
    return this.#registries.rows.listed(server, "resources");
  }

  /** A server's resource templates as last listed; empty for one that does not run. */
  listResourceTemplates(server: string): readonly ListedItem[] {
    return this.#registries.rows.listed(server, "resourceTemplates");
  }

  /** A server's prompts as last listed; empty for one that does not run. */
  listPrompts(server: string): readonly ListedItem[] {
    return this.#registries.rows.listed(server, "prompts");
  }

  /**
   * Ends what there is of a server and starts it anew, as it was started last. Its row shows
   * `connecting` for at least 500 ms, and its tools stay listed. Resolves when it is connected.
   * @throws {HotplugError} why it failed, `unknown-server`, `server-not-runnable`, `aborted`.
   */
  async restartServer(
    name: string,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<void> {
    await restartServer(this.#parts, name, { signal: options.signal });
  }

  /**
   * Sets a server's counters to zero and opens a new connection, whatever it does now: one that has
   * failed, waits for a login, is blocked, was ended, or was never started but may run by the plan.
   * It starts as it was started last, or as the plan says, unless a definition is given. Else the
   * same as {@linkcode restartServer}.
   * @throws {HotplugError} why it failed, `unknown-server`, `server-not-runnable`, `aborted`.
   */
  async retryServer(name: string, options: RetryOptions = {}): Promise<void> {
    await restartServer(this.#parts, name, { ...options, isRetry: true });
    this.#parts.sweep.schedule();
  }

  /**
   * Ends a server: its attempt, its connection, its tools. Bounded, idempotent, never rejects.
   * Everything ends at once, unless its running calls are given time: its tools are gone and no new
   * call is taken in any case.
   */
  async disconnectServer(name: string, options: DisconnectOptions = {}): Promise<void> {
    const { drainMs = 0, signal } = options;
    await unlessAborted(this.#lives.end(name, null, drainMs), signal).catch(() => {});
  }

  /**
   * Asks anew whether each server that is up may run, and ends those that may not: their rows are
   * `blocked`. Each call asks for itself; this is for a change that somebody noticed. Never rejects.
   */
  async recheckServers(): Promise<void> {
    await this.#parts.usable.recheck();
  }

  /**
   * Ends every server and forgets all but the plan. Servers that are started meanwhile stay.
   * Bounded, idempotent, never rejects.
   */
  async disconnectAll(): Promise<void> {
    this.#ends++;
    await endAll(this.#parts, {
      companions: this.#options.companions ?? [],
      reconciler: this.#reconciler,
    });
  }

  /** The same as {@linkcode disconnectAll}. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.disconnectAll();
  }

  /** Tells whether all was ended since now. */
  #endsSince(): () => boolean {
    const ends = this.#ends;
    return () => ends !== this.#ends;
  }
}

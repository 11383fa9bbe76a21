import { unlessAborted } from "../model/abort.ts";
import { callTool, getPrompt, readResource } from "../connection/calls.ts";
import type { MCPServerConnection } from "../model/connection.ts";
import type { ServerConfig } from "../model/definition.ts";
import { HotplugError, throwIfAborted, toHotplugError } from "../model/errors.ts";
import type { JsonObject } from "../model/json.ts";
import type { ListedItem, ToolInfo } from "../model/listing.ts";
import { type ConnectionStatus, connectionStatus } from "../model/server_state.ts";
import type { ServerView } from "../model/server_view.ts";
import type { SourceInfo } from "../model/source.ts";
import type { CallToolResult, RequestOptions, Tool, ToolCaller } from "../model/tool.ts";
import { Attempts } from "./attempts.ts";
import { FURTHER_LISTS } from "./further_lists.ts";
import { announcedLists } from "./list_updates.ts";
import type {
  ConnectServersOptions,
  ConnectServersResult,
  MCPManagerOptions,
} from "./manager_options.ts";
import { OrphanSweep } from "./orphan_sweep.ts";
import { ServerRegistries } from "./server_registries.ts";
import { ServerRows } from "./server_rows.ts";
import { type StartContext, startContext } from "./start_context.ts";
import { passGate, START_GATE_MS } from "./start_gate.ts";
import { ToolView } from "./tool_view.ts";
import { noSuchTool } from "./unavailable.ts";

/** Milliseconds that `disconnectAll()` gives to cache writes and the like after all is closed. */
const CLOSE_MS = 1000;

/**
 * Connects to servers side by side and keeps what they offer. One server's failure never costs
 * another its tools. Whoever holds a manager ends it: `await using`, or `disconnectAll()`.
 *
 * A connection that drops is not opened again by itself: it stays registered and its calls fail,
 * until `connectServers()` is called again.
 */
export class MCPManager implements AsyncDisposable {
  readonly #registries: ServerRegistries;
  readonly #tools: ToolView;
  readonly #attempts: Attempts;
  readonly #sweep: OrphanSweep;
  readonly #context: StartContext;
  readonly #options: MCPManagerOptions;

  /** A manager without servers. Nothing is read and nothing starts. */
  constructor(options: MCPManagerOptions = {}) {
    this.#options = options;
    this.#context = startContext(options, (server, notification) => {
      this.#attempts.announce(server, announcedLists(notification.method));
      this.#tell(() => options.onNotification?.(server, notification));
    });
    const rows = new ServerRows(this.#context.clock, (name) => {
      const view = rows.view(name);
      if (view !== undefined) this.#tell(() => options.onServer?.(view));
    });
    this.#registries = new ServerRegistries(rows);
    this.#tools = new ToolView(
      {
        live: (server) => this.#caller(server),
        awaited: async (server, signal) => {
          await this.#registries.waitFor(server, signal);
          return this.#caller(server);
        },
      },
      { cacheFolder: this.#context.folders.cache },
      options.naming ?? "prefixed",
    );
    this.#sweep = new OrphanSweep(this.#context.clock, this.#context.log);
    this.#attempts = new Attempts({
      registries: this.#registries,
      tools: this.#tools,
      context: this.#context,
      furtherLists: options.furtherLists ?? FURTHER_LISTS,
      onToolsChanged: () => this.#tell(() => options.onToolsChanged?.()),
    });
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
    const { plan, signal } = options;
    throwIfAborted(signal);
    const { rows } = this.#registries;
    if (plan !== undefined) rows.adopt(plan);
    const names = Object.keys(configs);
    const down = names.filter((name) => !this.#registries.isUp(name));
    const ours = down.filter((name) => !this.#attempts.isRunning(name));
    for (const name of names) {
      const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
      if (source !== undefined) this.#registries.sources.set(name, source);
    }
    const starts = down.flatMap((name) => {
      const config = configs[name];
      const source = this.#registries.sources.get(name);
      return config === undefined ? [] : [this.#attempts.begin({ name, config, source })];
    });
    this.#tools.setOrder(rows.names());
    await passGate(starts, {
      gateMs: this.#options.gateMs ?? START_GATE_MS,
      onMissingCache: this.#options.onMissingCache ?? "wait",
      clock: this.#context.clock,
      signal,
    });
    if (signal?.aborted) await Promise.all(ours.map((name) => this.disconnectServer(name)));
    throwIfAborted(signal);
    if (starts.length > 0) this.#sweep.schedule();
    this.#attempts.leave(names);
    return this.#result(names);
  }

  /**
   * Resolves when no server is on its way any more and all lists are read, or when the signal
   * aborts. Never rejects. The cache may still be being written; `disconnectAll()` waits for that.
   */
  async settled(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    await unlessAborted(this.#attempts.settled(), options.signal).catch(() => {});
  }

  /** The row of every known server, the plan's rows that do not run included, in order. */
  getServers(): readonly ServerView[] {
    return this.#registries.rows.names().flatMap((name) => this.#registries.rows.view(name) ?? []);
  }

  /** The tools on offer, in the order of the servers. The same array until something changes. */
  getTools(): readonly Tool[] {
    return this.#tools.all();
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
    return await this.#registries.waitFor(name, options.signal);
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
    const connection = await this.waitForConnection(server, options);
    const info = this.#tools.find(server, tool);
    if (info === undefined) throw noSuchTool(server, tool, this.#tools.toolsOf(server) ?? []);
    return await callTool(connection, info, args, options);
  }

  /** Reads a resource; gives the result as received. */
  async readResource(
    server: string,
    uri: string,
    options: RequestOptions = {},
  ): Promise<JsonObject> {
    return await readResource(await this.waitForConnection(server, options), uri, options);
  }

  /** Gets a prompt filled in with its arguments; gives the result as received. */
  async getPrompt(
    server: string,
    name: string,
    args: Readonly<Record<string, string>>,
    options: RequestOptions = {},
  ): Promise<JsonObject> {
    return await getPrompt(await this.waitForConnection(server, options), name, args, options);
  }

  /** A server's tools as listed, filters applied; empty for one that does not run. */
  listTools(server: string): readonly ToolInfo[] {
    return this.#tools.toolsOf(server) ?? [];
  }

  /** A server's resources as last listed; empty for one that does not run. */
  listResources(server: string): readonly ListedItem[] {
    const row = this.#registries.rows.get(server);
    return row?.lists.resources?.items ?? row?.cached?.resources ?? [];
  }

  /** A server's resource templates as last listed; empty for one that does not run. */
  listResourceTemplates(server: string): readonly ListedItem[] {
    const row = this.#registries.rows.get(server);
    return row?.lists.resourceTemplates?.items ?? row?.cached?.resourceTemplates ?? [];
  }

  /** A server's prompts as last listed; empty for one that does not run. */
  listPrompts(server: string): readonly ListedItem[] {
    const row = this.#registries.rows.get(server);
    return row?.lists.prompts?.items ?? row?.cached?.prompts ?? [];
  }

  /** Ends a server: its attempt, its connection, its tools. Bounded, idempotent, never rejects. */
  async disconnectServer(name: string): Promise<void> {
    const { rows, connections, sources } = this.#registries;
    const connection = connections.get(name);
    const ended = [this.#attempts.abandon(name), connection?.close()];
    sources.delete(name);
    connections.delete(name);
    const hadTools = this.#tools.remove(name);
    // Told last, when all is in place: the host may start the server anew in its callback.
    rows.disconnect(name);
    if (hadTools) this.#tell(() => this.#options.onToolsChanged?.());
    await Promise.allSettled(ended);
  }

  /**
   * Ends every server and forgets all but the plan. Servers that are started meanwhile stay.
   * Bounded, idempotent, never rejects.
   */
  async disconnectAll(): Promise<void> {
    const { rows, connections } = this.#registries;
    const names = rows.names();
    await Promise.allSettled([
      ...names.map((name) => this.disconnectServer(name)),
      this.#sweep.now(),
    ]);
    await this.#untilFinished(CLOSE_MS);
    for (const name of names) {
      if (!connections.has(name) && !this.#attempts.isRunning(name)) rows.remove(name);
    }
  }

  /** The same as {@linkcode disconnectAll}. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.disconnectAll();
  }

  #result(names: readonly string[]): ConnectServersResult {
    const rows = names.flatMap((name) => this.#registries.rows.get(name) ?? []);
    return {
      tools: this.getTools(),
      errors: new Map(rows.flatMap(({ name, error }) => error === null ? [] : [[name, error]])),
      connectedServers: names.filter((name) => this.#registries.isUp(name)),
    };
  }

  /** Calls a server over the connection that is there at the time of each call. */
  #caller(server: string): ToolCaller {
    return {
      callTool: async (tool, args, options) =>
        await callTool(this.#registries.connectionOf(server), tool, args, options),
    };
  }

  /** Waits for what still goes on, at most so many milliseconds. */
  async #untilFinished(ms: number): Promise<void> {
    const finished = new AbortController();
    await Promise.race([
      this.#attempts.finished(),
      this.#context.clock.delay(ms, finished.signal),
    ]);
    finished.abort();
  }

  /** Calls into the host; what it throws must not stop us. */
  #tell(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#context.log.log("error", "A callback of the host has thrown", {
        cause: toHotplugError(error).message,
      });
    }
  }
}

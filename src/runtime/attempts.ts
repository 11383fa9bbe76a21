import { afterFailure, afterHandshake, afterItems, afterTools } from "../cache/entry_update.ts";
import { startupTimeout } from "../definitions/timeouts.ts";
import type { CacheEntry } from "../model/cache.ts";
import type { MCPServerConnection } from "../model/connection.ts";
import { type HotplugError, toHotplugError } from "../model/errors.ts";
import type { Listing, ToolInfo } from "../model/listing.ts";
import { type FurtherList, FURTHER_LISTS, readFurtherLists } from "./further_lists.ts";
import type { ServerRegistries } from "./server_registries.ts";
import { NO_LISTS } from "./server_row.ts";
import { beginStart, type ServerStart, type StartInput } from "./server_start.ts";
import type { StartContext } from "./start_context.ts";
import type { GatedStart } from "./start_gate.ts";
import type { ToolView } from "./tool_view.ts";

/** What attempts need besides the registries. */
export interface AttemptOptions {
  /** Lists read after the tools. */
  readonly furtherLists: readonly FurtherList[];
  /** The tools on offer. */
  readonly tools: ToolView;
  /** Called when the tools on offer have changed. */
  readonly onToolsChanged: () => void;
}

/**
 * Runs one attempt a server, and follows each to its end: registers the connection, exchanges the
 * server's tools, remembers its lists. An attempt that was abandoned or replaced meanwhile changes
 * nothing any more.
 */
export class Attempts {
  readonly #running = new Map<string, ServerStart>();
  /** Everything that still goes on, abandoned attempts included. */
  readonly #work = new Set<Promise<void>>();
  readonly #ends = new Map<ServerStart, Promise<void>>();
  readonly #registries: ServerRegistries;
  readonly #context: StartContext;
  readonly #options: AttemptOptions;
  /** Attempts that nobody waits for any more: their failure is logged. */
  readonly #late = new WeakSet<ServerStart>();

  /** Attempts that fill the given registries. */
  constructor(registries: ServerRegistries, context: StartContext, options: AttemptOptions) {
    this.#registries = registries;
    this.#context = context;
    this.#options = options;
  }

  /** Whether a server has a running attempt. */
  isRunning(name: string): boolean {
    return this.#running.has(name);
  }

  /** Starts a server, or joins the attempt that is running. */
  begin(input: StartInput): GatedStart {
    const running = this.#running.get(input.name);
    if (running !== undefined) return this.#gated(running);
    const { rows, connections, pendingConnections } = this.#registries;
    void connections.get(input.name)?.close();
    connections.delete(input.name);
    const start = beginStart(input, this.#context);
    this.#running.set(input.name, start);
    pendingConnections.set(input.name, start.connection);
    const previous = rows.get(input.name);
    const now = this.#context.clock.now();
    rows.set({
      ...input,
      state: "connecting",
      since: now,
      startedAt: now,
      elapsedMs: null,
      attempt: (previous?.attempt ?? 0) + 1,
      error: null,
      connection: null,
      lists: NO_LISTS,
      offered: null,
      cached: null,
      warnings: [],
    });
    this.#ends.set(start, this.#follow(start));
    void this.#showRemembered(start);
    return this.#gated(start);
  }

  /** Says that nobody waits for these servers any more: the start gate has been passed. */
  leave(names: readonly string[]): void {
    for (const name of names) {
      const start = this.#running.get(name);
      if (start !== undefined) this.#late.add(start);
    }
  }

  /** Ends a server's attempt, if one is running, and closes what it opened. */
  async abandon(name: string): Promise<void> {
    const start = this.#running.get(name);
    if (start === undefined) return;
    this.#forget(start);
    await start.abandon();
  }

  /** Resolves when no attempt is running and nothing goes on behind one. Never rejects. */
  async settled(): Promise<void> {
    while (this.#ends.size > 0 || this.#work.size > 0) {
      await Promise.all([...this.#ends.values(), ...this.#work]);
    }
  }

  #gated(start: ServerStart): GatedStart {
    return {
      done: this.#ends.get(start) ?? Promise.resolve(),
      known: start.known.then((entry) => entry !== null),
    };
  }

  #isCurrent(start: ServerStart): boolean {
    return this.#running.get(start.input.name) === start;
  }

  /** Takes an attempt out of the registries: from now on its results are late ones. */
  #forget(start: ServerStart): void {
    const { name } = start.input;
    this.#running.delete(name);
    this.#registries.pendingConnections.delete(name);
    this.#registries.pendingToolLoads.delete(name);
  }

  /** Follows an attempt until its tools are there or it has failed. Never rejects. */
  async #follow(start: ServerStart): Promise<void> {
    const { name } = start.input;
    const { rows, pendingConnections, pendingToolLoads } = this.#registries;
    try {
      const connection = await start.connection;
      if (!this.#isCurrent(start)) return;
      pendingConnections.delete(name);
      pendingToolLoads.set(name, connection);
      rows.update(name, { connection });
      const listing = await start.tools;
      if (this.#isCurrent(start)) this.#succeed(start, connection, listing);
    } catch (thrown) {
      if (this.#isCurrent(start)) this.#fail(start, toHotplugError(thrown));
    } finally {
      this.#ends.delete(start);
    }
  }

  /** Offers what the cache remembers while the attempt goes on. Never rejects. */
  async #showRemembered(start: ServerStart): Promise<void> {
    const cached = await start.known;
    const row = this.#registries.rows.get(start.input.name);
    if (cached === null || !this.#isCurrent(start) || row?.state !== "connecting") return;
    const offered = cached.tools === null ? null : this.#offer(start, cached.tools, "deferred");
    this.#registries.rows.update(start.input.name, { cached, offered });
  }

  #succeed(
    start: ServerStart,
    connection: MCPServerConnection,
    listing: Listing<ToolInfo>,
  ): void {
    const { name } = start.input;
    const { rows, connections } = this.#registries;
    this.#forget(start);
    connections.set(name, connection);
    const offered = this.#offer(start, listing.items, "live");
    rows.finish(name, "connected", { lists: { ...NO_LISTS, tools: listing }, offered });
    void this.#watch(name, connection);
    this.#behind(this.#readOn(start, connection, listing));
  }

  #fail(start: ServerStart, error: HotplugError): void {
    const { name } = start.input;
    const { rows } = this.#registries;
    const { tools } = this.#options;
    this.#forget(start);
    const info = error.toInfo();
    rows.finish(name, error.code === "needs-auth" ? "needs-auth" : "error", { error: info });
    if (this.#late.has(start)) {
      this.#context.log.log("error", "Server failed", { server: name, error: error.message });
    } else if (tools.toolsOf(name) !== undefined) {
      tools.remove(name);
      rows.update(name, { offered: null });
      this.#options.onToolsChanged();
    }
    const at = this.#context.clock.now();
    this.#behind(this.#remember(start, (entry) => afterFailure(entry, info, at)));
  }

  /** Exchanges a server's tools, tells of it, and gives the number on offer. */
  #offer(start: ServerStart, tools: readonly ToolInfo[], kind: "live" | "deferred"): number {
    const { name, config, source } = start.input;
    const offered = this.#options.tools.replace(name, { config, source, tools, kind });
    this.#options.onToolsChanged();
    return offered;
  }

  /** Lets work go on in the background; it counts for {@linkcode settled}. */
  #behind(work: Promise<void>): void {
    this.#work.add(work);
    void work.finally(() => this.#work.delete(work));
  }

  /** Reads the further lists of a new connection and remembers them all. Never rejects. */
  async #readOn(
    start: ServerStart,
    connection: MCPServerConnection,
    tools: Listing<ToolInfo>,
  ): Promise<void> {
    const { name, config } = start.input;
    const { rows, connections } = this.#registries;
    const { lists, warnings } = await readFurtherLists(connection, this.#options.furtherLists, {
      timeout: startupTimeout(config),
    });
    if (connections.get(name) !== connection) return;
    const row = rows.get(name);
    if (row === undefined) return;
    rows.update(name, {
      lists: { ...row.lists, ...lists },
      warnings: [...row.warnings, ...warnings],
    });
    const { server, protocol } = connection;
    const at = this.#context.clock.now();
    await this.#remember(start, (entry) => {
      let known = afterTools(afterHandshake(entry, { server, protocol, at }), tools, at);
      for (const kind of FURTHER_LISTS) {
        const listing = lists[kind];
        if (listing !== undefined) known = afterItems(known, kind, listing);
      }
      return known;
    });
  }

  /** Notes the end of a connection: it stays registered, its calls fail. Never rejects. */
  async #watch(name: string, connection: MCPServerConnection): Promise<void> {
    const error = await connection.closed;
    if (error === null || this.#registries.connections.get(name) !== connection) return;
    this.#registries.rows.update(name, { state: "disconnected", error: error.toInfo() });
    this.#context.log.log("error", "Connection lost", { server: name, error: error.message });
  }

  /** Changes what the cache knows of a server, best effort. Never rejects. */
  async #remember(
    start: ServerStart,
    change: (entry: CacheEntry | null) => CacheEntry,
  ): Promise<void> {
    const { toolCache, log } = this.#context;
    if (toolCache === null) return;
    try {
      const { fingerprint } = await start.facts;
      await toolCache.set(fingerprint, change(await start.known));
    } catch (error) {
      log.log("warn", "Cannot write the tool cache", {
        server: start.input.name,
        cause: toHotplugError(error).message,
      });
    }
  }
}

import type { MCPServerConnection } from "../model/connection.ts";
import { type HotplugError, toHotplugError } from "../model/errors.ts";
import type { Listing, ListKind, ToolInfo } from "../model/listing.ts";
import { ConnectedServer } from "./connected_server.ts";
import type { LifeParts } from "./life_parts.ts";
import { RetiredConnections } from "./retired_connections.ts";
import { beginStart, type ServerStart, type StartInput } from "./server_start.ts";
import { ShownRestart } from "./shown_restart.ts";
import type { GatedStart } from "./start_gate.ts";

/** What is told of a server's attempt and connection, as long as they have not been given up. */
export interface LinkListener {
  /** The attempt has a connection and the whole tool list. */
  readonly onListed: (
    start: ServerStart,
    connection: MCPServerConnection,
    tools: Listing<ToolInfo>,
  ) => void;
  /** The attempt has failed. */
  readonly onFailed: (start: ServerStart, error: HotplugError) => void;
  /** The connection has ended, other than by us; without an error its holder closed it. */
  readonly onLost: (error: HotplugError | null) => void;
}

/**
 * What one server holds on to: at most one attempt or one connection, and what is registered of
 * them. What an attempt or a connection brings after it was given up changes nothing any more.
 */
export class ServerLinks {
  readonly #name: string;
  readonly #parts: LifeParts;
  readonly #listener: LinkListener;
  #attempt: ServerStart | null = null;
  #followed: Promise<void> = Promise.resolve();
  #server: ConnectedServer | null = null;
  /** Lists that were announced as changed before the server was connected. */
  readonly #announced = new Set<ListKind>();
  /** What ends in the background. */
  readonly retired: RetiredConnections;
  /** The restart that somebody waits to see. */
  readonly shownRestart: ShownRestart;

  /** Nothing is there yet. */
  constructor(name: string, parts: LifeParts, listener: LinkListener) {
    this.#name = name;
    this.#parts = parts;
    this.#listener = listener;
    const { clock } = parts.context;
    this.retired = new RetiredConnections(clock, parts.registries.inFlight);
    this.shownRestart = new ShownRestart(clock);
  }

  /** The attempt that is under way, if any. */
  get attempt(): ServerStart | null {
    return this.#attempt;
  }

  /** Resolves when the attempt that is under way, if any, has ended. Never rejects. */
  get followed(): Promise<void> {
    return this.#followed;
  }

  /** What the start gate needs to know of the attempt. */
  gated(): GatedStart {
    return {
      done: this.#followed,
      known: this.#attempt?.known.then((entry) => entry !== null) ?? Promise.resolve(true),
    };
  }

  /**
   * Begins an attempt; there must be none, and no connection.
   * @param after What must have ended before a process starts, besides what ends of the server's own.
   */
  open(input: StartInput, after: Promise<unknown> | null): ServerStart {
    // Both may need one port or one file.
    const ends = Promise.all([this.retired.ended(), after]);
    const start = beginStart(input, this.#parts.context, ends);
    this.#attempt = start;
    this.#announced.clear();
    this.#parts.registries.pendingConnections.set(this.#name, start.connection);
    this.#followed = this.#follow(start);
    this.#parts.reading(this.#followed);
    return start;
  }

  /** Puts an attempt that has listed in place as the server's connection; not registered yet. */
  connect(
    start: ServerStart,
    connection: MCPServerConnection,
    tools: Listing<ToolInfo>,
  ): void {
    this.settle();
    const { reading, writing } = this.#parts;
    const server: ConnectedServer = new ConnectedServer(start, connection, this.#parts, (error) => {
      if (this.#server !== server) return;
      this.#server = null;
      this.#listener.onLost(error);
    });
    this.#server = server;
    const read = server.readOn(tools);
    reading(read);
    writing(read.then(() => server.remembered()));
  }

  /**
   * Registers the connection and offers its tools. The host may end it in a callback.
   * @param isBack Whether it was connected before: nobody knows which watched resources changed while
   * it was away, so that all of them count.
   */
  register(tools: Listing<ToolInfo>, isBack: boolean): void {
    const server = this.#server;
    server?.register(tools);
    server?.announce([...this.#announced]);
    if (!isBack) return;
    const { wishes, onResourceUpdated, onNotification } = this.#parts.context;
    for (const uri of wishes.subscriptions(this.#name)) {
      onResourceUpdated(this.#name, uri);
      onNotification(this.#name, { method: "notifications/resources/updated", params: { uri } });
    }
  }

  /** Notes that the attempt is over. */
  settle(): void {
    this.#attempt = null;
    this.shownRestart.forget();
    this.#parts.registries.pendingConnections.delete(this.#name);
    this.#parts.registries.pendingToolLoads.delete(this.#name);
  }

  /**
   * Lets go of the attempt and the connection that there are; they end in the background.
   * @param drainMs Milliseconds that running calls get.
   */
  close(drainMs: number): void {
    const { connections, pendingConnections, pendingToolLoads } = this.#parts.registries;
    const attempt = this.#attempt;
    const connection = connections.get(this.#name);
    this.#server?.end();
    this.#server = null;
    this.#attempt = null;
    pendingConnections.delete(this.#name);
    pendingToolLoads.delete(this.#name);
    connections.delete(this.#name);
    this.retired.abandon(attempt, drainMs);
    this.retired.retire(connection, drainMs);
  }

  /** Notes that the server says of lists that they have changed. */
  announce(kinds: readonly ListKind[]): void {
    if (this.#server !== null) return this.#server.announce(kinds);
    for (const kind of kinds) this.#announced.add(kind);
  }

  /**
   * Reads its lists anew at once, if it is connected. Resolves when they are in place.
   * @throws {HotplugError} why they could not be read; the old ones stay.
   */
  async relist(): Promise<void> {
    await this.#server?.relist();
  }

  /** Follows an attempt until its tools are there or it has failed. Never rejects. */
  async #follow(start: ServerStart): Promise<void> {
    const { rows, pendingConnections, pendingToolLoads } = this.#parts.registries;
    try {
      const connection = await start.connection;
      if (this.#attempt !== start) return;
      pendingConnections.delete(this.#name);
      pendingToolLoads.set(this.#name, connection);
      rows.update(this.#name, { connection });
      const tools = await start.tools;
      await this.shownRestart.shown(start.signal);
      if (this.#attempt === start) this.#listener.onListed(start, connection, tools);
    } catch (thrown) {
      if (this.#attempt === start) this.#listener.onFailed(start, toHotplugError(thrown));
    }
  }
}

import { unlessAborted } from "../model/abort.ts";
import type { MCPServerConnection } from "../model/connection.ts";
import { errorFromInfo, isAbortError } from "../model/errors.ts";
import type { SourceInfo } from "../model/source.ts";
import { CallsInFlight } from "./calls_in_flight.ts";
import type { ServerRows } from "./server_rows.ts";
import { noSuchServer, notConnected } from "./unavailable.ts";

/** What is registered of each server; a server's state follows from where it stands. */
export class ServerRegistries {
  /** Connected servers: handshake done and tools listed. A dropped connection stays in it. */
  readonly connections: Map<string, MCPServerConnection> = new Map();
  /** Servers whose handshake is under way. */
  readonly pendingConnections: Map<string, Promise<MCPServerConnection>> = new Map();
  /** Servers whose tools are being listed, with the connection that they are listed over. */
  readonly pendingToolLoads: Map<string, MCPServerConnection> = new Map();
  /** Where each server is declared: from before its start until it is disconnected. */
  readonly sources: Map<string, SourceInfo> = new Map();
  /** The calls that are under way over each connection, replaced ones included. */
  readonly inFlight: CallsInFlight = new CallsInFlight();
  /** The rows as they are shown. */
  readonly rows: ServerRows;

  /** Empty registries over the given rows. */
  constructor(rows: ServerRows) {
    this.rows = rows;
  }

  /** Whether a server is connected and its connection has not dropped. */
  isUp(name: string): boolean {
    return this.connections.has(name) && this.rows.get(name)?.state === "connected";
  }

  /** Whether another connection of the server is there, or on its way, in the place of this one. */
  isReplaced(name: string, connection: MCPServerConnection): boolean {
    const current = this.connections.get(name) ?? this.pendingToolLoads.get(name);
    return current !== connection && (current !== undefined || this.pendingConnections.has(name));
  }

  /** Connections that have not dropped, those included whose tools are still being listed. */
  usable(): readonly MCPServerConnection[] {
    const listed = [...this.connections].filter(([name]) => this.isUp(name));
    return [...new Map([...listed, ...this.pendingToolLoads]).values()];
  }

  /**
   * The connection that is there, dropped or not.
   * @throws {HotplugError} why there is none.
   */
  connectionOf(name: string): MCPServerConnection {
    const connection = this.connections.get(name) ?? this.pendingToolLoads.get(name);
    if (connection !== undefined) return connection;
    const view = this.rows.view(name);
    if (view === undefined) throw noSuchServer(name, this.rows.names());
    throw view.error === null ? notConnected(name, view.state) : errorFromInfo(view.error);
  }

  /**
   * The connection, as soon as its handshake is done.
   * @throws {HotplugError} why there is none, or `aborted`.
   */
  async waitFor(name: string, signal: AbortSignal | undefined): Promise<MCPServerConnection> {
    const pending = this.pendingConnections.get(name);
    if (pending === undefined) return this.connectionOf(name);
    try {
      return await unlessAborted(pending, signal);
    } catch (thrown) {
      // Somebody else ended the attempt; for this caller that is a failure and no abort.
      if (!isAbortError(thrown) || signal?.aborted === true) throw thrown;
      // It may have been started anew instead.
      const next = this.pendingConnections.get(name);
      return next === undefined || next === pending
        ? this.connectionOf(name)
        : await this.waitFor(name, signal);
    }
  }
}

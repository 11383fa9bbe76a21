import { unlessAborted } from "../model/abort.ts";
import type { MCPServerConnection } from "../model/connection.ts";
import { throwIfAborted } from "../model/errors.ts";
import type { Refusal, RunPermission } from "./run_permission.ts";
import type { ServerLives } from "./server_lives.ts";
import type { ServerRegistries } from "./server_registries.ts";

/** What {@linkcode UsableConnections} look at. */
export interface UsableConnectionsParts {
  /** What is registered of each server. */
  readonly registries: ServerRegistries;
  /** The life of each server. */
  readonly lives: ServerLives;
  /** Asked before each use. */
  readonly permission: RunPermission;
}

/**
 * The connections that may be used: each is asked about whenever somebody wants it, and a server
 * that may not run any more is ended.
 */
export class UsableConnections {
  readonly #parts: UsableConnectionsParts;

  /** Those that are registered at the time of each question. */
  constructor(parts: UsableConnectionsParts) {
    this.#parts = parts;
  }

  /**
   * A server's connection, as soon as its handshake is done. A lost one is brought back.
   * @throws {HotplugError} why there is none, or why it may not be used; `aborted`.
   */
  async get(server: string, signal: AbortSignal | undefined): Promise<MCPServerConnection> {
    const { registries, lives } = this.#parts;
    // Else a call that nobody waits for would start a server.
    throwIfAborted(signal);
    lives.called(server);
    for (;;) {
      const connection = registries.pendingConnections.has(server)
        ? await registries.waitFor(server, signal)
        : registries.connectionOf(server);
      // Nearly all are asked about without a wait, thousands of times a second.
      const asked = this.#parts.permission.refusalOf(connection);
      const refusal = asked === null
        ? null
        : await unlessAborted(this.#refused(server, connection, asked), signal);
      if (refusal !== null) throw refusal;
      // One that was replaced during the question only ends what runs over it already.
      if (!registries.isReplaced(server, connection)) return connection;
    }
  }

  /** Asks about every server that is up, and ends those that may not run. Never rejects. */
  async recheck(): Promise<void> {
    const { connections, pendingToolLoads } = this.#parts.registries;
    const up = [...pendingToolLoads, ...connections];
    await Promise.all(up.map(async ([server, connection]) => {
      await this.#refused(server, connection, this.#parts.permission.refusalOf(connection));
    }));
  }

  /** Asks every remote server that is up for a sign of life. Never rejects. */
  async confirmAll(): Promise<void> {
    await Promise.all([...this.#parts.registries.connections.values()].map((c) => c.confirm()));
  }

  /** Why a connection may not be used, after its server was ended; `null` when it may. */
  async #refused(
    server: string,
    connection: MCPServerConnection,
    asked: Refusal | Promise<Refusal>,
  ): Promise<Refusal> {
    const { registries, lives } = this.#parts;
    const refusal = await asked;
    if (refusal === null) return null;
    // Else it has been ended or replaced meanwhile.
    const current = registries.connections.get(server) ?? registries.pendingToolLoads.get(server);
    if (current === connection) await lives.end(server, refusal.toInfo());
    return refusal;
  }
}

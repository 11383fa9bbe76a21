import type { MCPServerConnection } from "../model/connection.ts";

/** Calls over one connection that have not ended, and who waits for that. */
interface Load {
  calls: number;
  readonly waiting: Set<() => void>;
}

/** Counts the calls that are under way over each connection. */
export class CallsInFlight {
  readonly #loads = new Map<MCPServerConnection, Load>();

  /** Counts a call as under way until it has ended, however it ends. */
  async over<Result>(
    connection: MCPServerConnection,
    call: () => Promise<Result>,
  ): Promise<Result> {
    const load = this.#loads.get(connection) ?? { calls: 0, waiting: new Set() };
    this.#loads.set(connection, load);
    load.calls++;
    try {
      return await call();
    } finally {
      load.calls--;
      if (load.calls === 0) {
        this.#loads.delete(connection);
        for (const resolve of load.waiting) resolve();
      }
    }
  }

  /** How many are under way over a connection. */
  count(connection: MCPServerConnection): number {
    return this.#loads.get(connection)?.calls ?? 0;
  }

  /** Resolves when none is under way over a connection, or the signal aborts. Never rejects. */
  async ended(connection: MCPServerConnection, signal: AbortSignal): Promise<void> {
    const load = this.#loads.get(connection);
    if (load === undefined || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        load.waiting.delete(finish);
        signal.removeEventListener("abort", finish);
        resolve();
      };
      load.waiting.add(finish);
      signal.addEventListener("abort", finish);
    });
  }
}

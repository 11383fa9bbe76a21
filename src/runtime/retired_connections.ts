import type { MCPServerConnection } from "../model/connection.ts";
import type { CallsInFlight } from "./calls_in_flight.ts";
import type { Clock } from "./clock.ts";
import { ClosingWork } from "./closing_work.ts";
import type { ServerStart } from "./server_start.ts";

/** Milliseconds that the calls of a connection get which another one is to replace. */
export const DRAIN_MS = 10_000;

/**
 * What one server has left behind and what ends in the background: attempts that were given up, and
 * connections. A connection may be given time for the calls that run over it; nobody calls over it
 * any more. Whatever it does until its end is none of the server's business.
 */
export class RetiredConnections {
  readonly #clock: Clock;
  readonly #calls: CallsInFlight;
  readonly #closing = new ClosingWork();
  #cut = new AbortController();
  #draining = 0;

  /** Nothing ends yet. */
  constructor(clock: Clock, calls: CallsInFlight) {
    this.#clock = clock;
    this.#calls = calls;
  }

  /** Ends a connection when the calls over it have ended, at most after so many milliseconds. */
  retire(connection: MCPServerConnection | undefined, drainMs: number): void {
    if (connection === undefined) return;
    const drained = this.#drained(connection, drainMs, this.#cut.signal);
    this.#closing.add(drained?.then(() => connection.close()) ?? connection.close());
  }

  /** Gives an attempt up, and ends its connection likewise if it has one. */
  abandon(attempt: ServerStart | null, drainMs: number): void {
    // It may be cut before it is known to have a connection.
    const { signal } = this.#cut;
    this.#closing.add(attempt?.abandon((opened) => this.#drained(opened, drainMs, signal)));
  }

  /** Ends at once whatever still waits for its calls. */
  cut(): void {
    this.#cut.abort();
    this.#cut = new AbortController();
  }

  /** Whether a connection still waits for its calls. */
  get isDraining(): boolean {
    return this.#draining > 0;
  }

  /** Resolves when all of it has ended. Never rejects. */
  async ended(): Promise<void> {
    await this.#closing.ended();
  }

  /**
   * Resolves when no call is under way, the time is up, or the connection has ended by itself; `null`
   * when there is nothing to wait for.
   */
  #drained(
    connection: MCPServerConnection,
    drainMs: number,
    cut: AbortSignal,
  ): Promise<void> | null {
    if (drainMs <= 0 || cut.aborted || this.#calls.count(connection) === 0) return null;
    this.#draining++;
    const done = new AbortController();
    const signal = AbortSignal.any([done.signal, cut]);
    return Promise.race([
      this.#calls.ended(connection, signal),
      this.#clock.delay(drainMs, signal),
      connection.closed.then(() => {}),
    ]).finally(() => {
      this.#draining--;
      done.abort();
    });
  }
}

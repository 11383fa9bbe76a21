import { HotplugError } from "../model/errors.ts";
import type { Clock } from "./clock.ts";

/**
 * The time of one call. A time-out that its caller sets counts for all of it, the waiting for a
 * connection included; without one the waiting is bounded by the server's start time, and the
 * request has the server's own call time.
 */
export class CallTime {
  readonly #clock: Clock;
  readonly #timeout: number | null;
  readonly #begun: number;

  /** The clock runs from now on; `timeout` in milliseconds, as the caller gave it. */
  constructor(clock: Clock, timeout: number | undefined) {
    this.#clock = clock;
    this.#timeout = timeout ?? null;
    this.#begun = clock.ticks();
  }

  /** The time-out of a request that is sent now: what is left, at least a millisecond. */
  rest(): { readonly timeout?: number } {
    return this.#timeout === null ? {} : { timeout: Math.max(1, this.#left(this.#timeout)) };
  }

  /**
   * The outcome of the waiting for a server.
   * @throws {HotplugError} `request-timeout` when the time is up first.
   */
  within<Value>(server: string, waiting: Promise<Value>): Promise<Value> {
    return this.#timeout === null ? waiting : this.#bounded(server, waiting, this.#timeout);
  }

  async #bounded<Value>(server: string, waiting: Promise<Value>, timeout: number): Promise<Value> {
    const waited = new AbortController();
    try {
      return await Promise.race([
        waiting,
        this.#clock.delay(Math.max(0, this.#left(timeout)), waited.signal).then((): never => {
          throw new HotplugError(
            "request-timeout",
            `Cannot call "${server}": it was not connected within ${timeout / 1000} s`,
            { hint: "It is still being tried; mcp status tells why", details: { delivered: "no" } },
          );
        }),
      ]);
    } finally {
      waited.abort();
    }
  }

  #left(timeout: number): number {
    return this.#begun + timeout - this.#clock.ticks();
  }
}

import type { Timers } from "./timers.ts";

/**
 * The HTTP stream of one request: what its abort closes. A server that has answered should end the
 * stream by itself; one that does not must not cost a socket a call.
 */
export interface RequestStream {
  /** Closes the stream when it fires. */
  readonly signal: AbortSignal;
  /** Closes it. */
  close(): void;
  /** Closes it unless it ends within so many milliseconds. */
  closeWithin(ms: number): void;
  /** Notes that it has ended by itself. */
  ended(): void;
}

/** The streams that are open, so that none outlives its connection. */
export class RequestStreams {
  readonly #timers: Timers;
  readonly #open = new Set<RequestStream>();

  /** No stream is open. */
  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** How many are open. */
  get size(): number {
    return this.#open.size;
  }

  /** Counts a stream as open until it is closed or has ended. */
  open(): RequestStream {
    const abort = new AbortController();
    let stopTimer = (): void => {};
    const stream: RequestStream = {
      signal: abort.signal,
      close: () => {
        stream.ended();
        abort.abort();
      },
      closeWithin: (ms) => {
        if (!this.#open.has(stream)) return;
        stopTimer();
        stopTimer = this.#timers.after(ms, stream.close);
      },
      ended: () => {
        stopTimer();
        this.#open.delete(stream);
      },
    };
    this.#open.add(stream);
    return stream;
  }

  /** Closes all. */
  closeAll(): void {
    for (const stream of [...this.#open]) stream.close();
  }
}

import { abortedError } from "../model/abort.ts";

/** Lets a number of works run at one time; the others wait for their turn, in order. */
export class Turns {
  #free: number;
  readonly #waiting = new Set<() => void>();

  /** @param most Works that run at one time. */
  constructor(most: number) {
    this.#free = most;
  }

  /**
   * Does a work when it is its turn.
   * @throws {HotplugError} `aborted` when the signal fires before that; what the work throws.
   */
  async take<Value>(work: () => Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
    if (this.#free > 0) this.#free--;
    else await this.#turn(signal);
    try {
      return await work();
    } finally {
      const [next] = this.#waiting;
      // A turn is handed on, so that nobody who comes now can get ahead.
      if (next === undefined) this.#free++;
      else next();
    }
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(begin);
        signal?.removeEventListener("abort", onAbort);
      };
      const begin = (): void => {
        leave();
        resolve();
      };
      const onAbort = (): void => {
        leave();
        reject(abortedError(signal));
      };
      if (signal?.aborted) return onAbort();
      this.#waiting.add(begin);
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  }
}

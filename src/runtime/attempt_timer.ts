import type { Clock } from "./clock.ts";

/** The one timer of a server's next attempt. It does not keep the process alive. */
export class AttemptTimer {
  readonly #clock: Clock;
  #running: AbortController | null = null;

  /** No timer runs. */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `action` after so many milliseconds, in the place of whatever was set before. */
  set(ms: number, action: () => void): void {
    this.clear();
    const running = new AbortController();
    this.#running = running;
    void this.#clock.idle(ms, running.signal).then(() => {
      if (running.signal.aborted) return;
      this.#running = null;
      action();
    });
  }

  /** Stops it. */
  clear(): void {
    this.#running?.abort();
    this.#running = null;
  }
}

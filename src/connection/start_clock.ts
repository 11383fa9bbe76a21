import { systemTimers, type Timers } from "./timers.ts";

/** The time that a server gets to start, and its caller's patience, as one signal. */
export class StartClock {
  readonly #abort = new AbortController();
  readonly #deadline: number;
  readonly #timers: Timers;
  readonly #caller: AbortSignal | undefined;
  #stopTimer: () => void = () => {};
  readonly #onAbort = (): void => this.#finish("aborted");
  #outcome: "timeout" | "aborted" | null = null;

  /** Starts the clock; `timeout` in milliseconds. */
  constructor(timeout: number, caller: AbortSignal | undefined, timers: Timers = systemTimers) {
    this.#timers = timers;
    this.#deadline = timers.now() + timeout;
    this.#caller = caller;
    this.#stopTimer = timers.after(timeout, () => this.#finish("timeout"));
    if (caller?.aborted === true) this.#finish("aborted");
    else caller?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** Fires when the time is up or the caller aborts. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Which of the two it was; `null` while there is time. */
  get outcome(): "timeout" | "aborted" | null {
    return this.#outcome;
  }

  /** Milliseconds left; never below 1. */
  left(): number {
    return Math.max(1, this.#deadline - this.#timers.now());
  }

  /** Stops it; the signal then never fires. */
  stop(): void {
    this.#stopTimer();
    this.#caller?.removeEventListener("abort", this.#onAbort);
  }

  #finish(outcome: "timeout" | "aborted"): void {
    if (this.#outcome !== null) return;
    this.#outcome = outcome;
    this.stop();
    this.#abort.abort(new Error(outcome === "timeout" ? "The time to start is up" : "Aborted"));
  }
}

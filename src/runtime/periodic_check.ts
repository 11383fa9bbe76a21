import { unlessAborted } from "../model/abort.ts";
import type { Clock } from "./clock.ts";

/** How long the wait before a check was, by each clock, in milliseconds. */
export interface Waited {
  /** By the clock on the wall, which may be set and which goes on while the machine sleeps. */
  readonly wallMs: number;
  /** By the clock that only goes forward. */
  readonly ticksMs: number;
}

/** What a {@linkcode PeriodicCheck} does. */
export interface PeriodicCheckOptions {
  /** Time. */
  readonly clock: Clock;
  /** Milliseconds between the end of one check and the next one. */
  readonly intervalMs: number;
  /** One check. Never rejects. */
  readonly check: (waited: Waited) => Promise<void>;
  /** Whether there is anything to check; without it the check pauses. */
  readonly isNeeded: () => boolean;
}

/**
 * Checks something from time to time while servers are up. It does not keep the process alive, and
 * pauses while nothing is there to check.
 */
export class PeriodicCheck {
  readonly #options: PeriodicCheckOptions;
  #running: AbortController | null = null;
  #done: Promise<void> = Promise.resolve();

  /** Nothing is checked yet. */
  constructor(options: PeriodicCheckOptions) {
    this.#options = options;
  }

  /** Begins, unless it runs. */
  start(): void {
    if (this.#running !== null) return;
    const running = new AbortController();
    this.#running = running;
    this.#done = this.#run(running);
  }

  /**
   * Ends it; it can be started again. A check that is under way is not waited for: it may ask a
   * host that never answers. Never rejects.
   */
  async stop(): Promise<void> {
    this.#running?.abort();
    this.#running = null;
    await this.#done;
  }

  async #run(running: AbortController): Promise<void> {
    const { clock, intervalMs, check, isNeeded } = this.#options;
    while (isNeeded()) {
      const wall = clock.now();
      const ticks = clock.ticks();
      await clock.idle(intervalMs, running.signal);
      if (running.signal.aborted) return;
      const waited = { wallMs: clock.now() - wall, ticksMs: clock.ticks() - ticks };
      await unlessAborted(check(waited), running.signal).catch(() => {});
      if (running.signal.aborted) return;
    }
    if (this.#running === running) this.#running = null;
  }
}

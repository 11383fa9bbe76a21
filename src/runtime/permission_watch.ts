import type { Clock } from "./clock.ts";

/** Milliseconds between two questions: a look at one file each, if anybody is asked at all. */
const INTERVAL_MS = 2000;

/**
 * Asks from time to time whether the servers that are up may still run, so that one which a
 * changed policy forbids ends although nobody calls it. It does not keep the process alive, and
 * pauses while no server is up.
 */
export class PermissionWatch {
  readonly #clock: Clock;
  readonly #recheck: () => Promise<void>;
  readonly #isNeeded: () => boolean;
  #running: AbortController | null = null;
  #done: Promise<void> = Promise.resolve();

  /**
   * Nothing is asked yet.
   * @param recheck Asks about every server that is up. Never rejects.
   * @param isNeeded Whether any server is up or on its way.
   */
  constructor(clock: Clock, recheck: () => Promise<void>, isNeeded: () => boolean) {
    this.#clock = clock;
    this.#recheck = recheck;
    this.#isNeeded = isNeeded;
  }

  /** Begins, unless it runs. */
  start(): void {
    if (this.#running !== null) return;
    const running = new AbortController();
    this.#running = running;
    this.#done = this.#run(running);
  }

  /**
   * Ends it, and resolves when the servers that it was ending are gone; it can be started again.
   * Never rejects.
   */
  async stop(): Promise<void> {
    this.#running?.abort();
    this.#running = null;
    await this.#done;
  }

  async #run(running: AbortController): Promise<void> {
    while (this.#isNeeded()) {
      await this.#clock.idle(INTERVAL_MS, running.signal);
      if (running.signal.aborted) return;
      await this.#recheck();
    }
    if (this.#running === running) this.#running = null;
  }
}

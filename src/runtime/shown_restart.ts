import type { Clock } from "./clock.ts";

/** Milliseconds that a restart is shown as `connecting` at least, so that it can be seen. */
const SHOWN_RESTART_MS = 500;

/** The restart of one server that somebody asked for, as long as it is to be seen. */
export class ShownRestart {
  readonly #clock: Clock;
  /** When it was asked for; `null` when none is shown. */
  #askedAt: number | null = null;

  /** No restart is shown. */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Shows one from now on. */
  begin(): void {
    this.#askedAt = this.#clock.ticks();
  }

  /** Shows it no longer. */
  forget(): void {
    this.#askedAt = null;
  }

  /** Resolves when it has been shown long enough, or the signal aborts. Never rejects. */
  async shown(signal: AbortSignal): Promise<void> {
    if (this.#askedAt === null) return;
    const left = this.#askedAt + SHOWN_RESTART_MS - this.#clock.ticks();
    this.#askedAt = null;
    if (left > 0) await this.#clock.delay(left, signal);
  }
}

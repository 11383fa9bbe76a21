import type { Clock } from "../runtime/clock.ts";

/** Milliseconds without a further event before anybody looks: one save causes several. */
export const QUIET_MS = 100;

/** Milliseconds after which somebody looks though events keep coming. */
export const LATEST_MS = 1000;

/** What a {@linkcode LookQueue} works with. */
export interface LookQueueOptions {
  /** Time. */
  readonly clock: Clock;
  /**
   * Looks, and says after how many milliseconds to look again by itself; `null`: only when
   * something happens. Must not reject.
   */
  readonly look: (signal: AbortSignal) => Promise<number | null>;
}

/**
 * Looks after events have paused, never twice at a time. Events during a look cause exactly one
 * more. Keeps no process alive.
 */
export class LookQueue {
  readonly #options: LookQueueOptions;
  readonly #ended = new AbortController();
  #again = new AbortController();
  #isAsked = false;
  #lastAt = 0;
  #running: Promise<void> | null = null;

  /** Nothing has happened yet. */
  constructor(options: LookQueueOptions) {
    this.#options = options;
  }

  /** Notes that something happened. */
  trigger(): void {
    if (this.#ended.signal.aborted) return;
    this.#isAsked = true;
    this.#lastAt = this.#options.clock.ticks();
    this.#running ??= this.#run();
  }

  /** Ends it for good; resolves when no look is going on any more. Idempotent, never rejects. */
  async stop(): Promise<void> {
    this.#ended.abort();
    this.#again.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#ended;
    while (this.#isAsked && !signal.aborted) {
      await this.#quiet();
      if (signal.aborted) break;
      this.#isAsked = false;
      this.#again.abort();
      const again = await this.#options.look(signal);
      if (again !== null) void this.#lookAgain(again);
    }
    this.#running = null;
  }

  /** Waits until events pause, at most {@linkcode LATEST_MS}. */
  async #quiet(): Promise<void> {
    const { clock } = this.#options;
    const latest = clock.ticks() + LATEST_MS;
    const left = (): number => Math.min(this.#lastAt + QUIET_MS, latest) - clock.ticks();
    for (let wait = left(); wait > 0 && !this.#ended.signal.aborted; wait = left()) {
      await clock.idle(wait, this.#ended.signal);
    }
  }

  async #lookAgain(ms: number): Promise<void> {
    const { clock } = this.#options;
    const again = new AbortController();
    this.#again = again;
    if (this.#ended.signal.aborted) return;
    await clock.idle(ms, again.signal);
    if (!again.signal.aborted) this.trigger();
  }
}

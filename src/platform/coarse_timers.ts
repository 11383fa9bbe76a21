/** Milliseconds between two looks, by which a timer may be late. */
const LOOK_MS = 250;

/** What happens, and when. */
interface Waiting {
  readonly at: number;
  readonly run: () => void;
}

/**
 * Timers for what nearly always ends before its time and comes thousands of times a second: one of
 * the system's stands for all of them. Each may be a quarter of a second late.
 */
export class CoarseTimers {
  readonly #waiting = new Set<Waiting>();
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Runs something in so many milliseconds; gives what calls it off. */
  after(milliseconds: number, run: () => void): () => void {
    const waiting = { at: performance.now() + milliseconds, run };
    this.#waiting.add(waiting);
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS);
    return () => this.#waiting.delete(waiting);
  }

  /** Calls all of them off. */
  close(): void {
    this.#waiting.clear();
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    // It is taken down when it was not needed from one look to the next.
    if (this.#waiting.size === 0) return this.close();
    const now = performance.now();
    for (const waiting of this.#waiting) {
      if (waiting.at > now) continue;
      this.#waiting.delete(waiting);
      waiting.run();
    }
  }
}

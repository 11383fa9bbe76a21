import { clearInterval, setInterval } from "node:timers";

/** Milliseconds between two looks at how long the slowest server may take. */
const LOOK_MS = 500;

/** A request that waits for its turn or is being worked on. */
interface Waiting {
  /** Says again how long it may take. */
  readonly tell: (slowestMs: number) => void;
  /** What it was told last. */
  told: number;
}

/**
 * The requests that change one session. A session works on one after the other, so that each is
 * told anew how long it may take whenever one before it is done, and when a definition that was
 * read meanwhile gives a server more time.
 */
export class SteeringLine {
  readonly #slowestMs: () => number;
  readonly #waiting = new Set<Waiting>();
  #look: ReturnType<typeof setInterval> | null = null;

  /** @param slowestMs Milliseconds that the slowest server of the session may take to start. */
  constructor(slowestMs: () => number) {
    this.#slowestMs = slowestMs;
  }

  /**
   * Adds a request, which is told at once how long it may take.
   * @returns What takes it out again.
   */
  enter(tell: (slowestMs: number) => void): () => void {
    const one: Waiting = { tell, told: -1 };
    this.#waiting.add(one);
    this.#look ??= setInterval(() => this.#tell(({ told }, now) => now > told), LOOK_MS).unref();
    this.#tell((other) => other === one);
    return () => {
      if (!this.#waiting.delete(one)) return;
      if (this.#waiting.size > 0) return this.#tell(() => true);
      if (this.#look !== null) clearInterval(this.#look);
      this.#look = null;
    };
  }

  #tell(whom: (one: Waiting, now: number) => boolean): void {
    const now = this.#slowestMs();
    for (const one of this.#waiting) {
      if (!whom(one, now)) continue;
      one.told = now;
      one.tell(now);
    }
  }
}

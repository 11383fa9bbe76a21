import type { Timers } from "../../src/connection/timers.ts";

/** A clock that a test moves. */
export class FakeTimers implements Timers {
  #now = 0;
  #next = 0;
  readonly #due = new Map<number, { readonly at: number; readonly action: () => void }>();

  /** How many actions wait. */
  get size(): number {
    return this.#due.size;
  }

  after(ms: number, action: () => void): () => void {
    const id = this.#next++;
    this.#due.set(id, { at: this.#now + ms, action });
    return () => this.#due.delete(id);
  }

  now(): number {
    return this.#now;
  }

  /** Moves the clock and does what becomes due, in order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const [first] = [...this.#due].filter(([, { at }]) => at <= end)
        .sort(([, one], [, other]) => one.at - other.at);
      if (first === undefined) break;
      this.#due.delete(first[0]);
      this.#now = first[1].at;
      first[1].action();
    }
    this.#now = end;
  }
}

import type { Clock } from "../../src/runtime/clock.ts";

/** A clock that stands until it is turned. */
export class FakeClock implements Clock {
  #now = 1_000_000;
  /** How far the clock on the wall was set away from the time that passed. */
  #set = 0;
  readonly #waiting = new Set<{ readonly at: number; readonly resolve: () => void }>();

  now(): number {
    return this.#now + this.#set;
  }

  ticks(): number {
    return this.#now;
  }

  /** Sets the clock on the wall forward or back; no time passes. */
  setWall(ms: number): void {
    this.#set += ms;
  }

  delay(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const entry = { at: this.#now + ms, resolve };
      this.#waiting.add(entry);
      signal.addEventListener("abort", () => {
        this.#waiting.delete(entry);
        resolve();
      }, { once: true });
    });
  }

  idle(ms: number, signal: AbortSignal): Promise<void> {
    return this.delay(ms, signal);
  }

  /** How many delays are running. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Turns the clock, ends the delays that are over, and lets what waited for them run. */
  async turn(ms: number): Promise<void> {
    this.#now += ms;
    for (const entry of this.#waiting) {
      if (entry.at > this.#now) continue;
      this.#waiting.delete(entry);
      entry.resolve();
    }
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

import { FakeClock } from "../fake_clock.ts";

/** One delay that is running. */
export interface Waiting {
  /** When it ends, in ticks. */
  readonly at: number;
  /** How long it was asked to take, in milliseconds. */
  readonly ms: number;
  /** Whether it keeps the process alive (`delay`) or not (`idle`). */
  readonly kind: "delay" | "idle";
}

/** A clock that stands until it is turned, and tells which delays are running. */
export class WatchedClock extends FakeClock {
  readonly #running = new Set<Waiting>();
  #kind: Waiting["kind"] = "delay";

  override async delay(ms: number, signal: AbortSignal): Promise<void> {
    const entry: Waiting = { at: this.ticks() + ms, ms, kind: this.#kind };
    this.#kind = "delay";
    this.#running.add(entry);
    await super.delay(ms, signal);
    this.#running.delete(entry);
  }

  override idle(ms: number, signal: AbortSignal): Promise<void> {
    this.#kind = "idle";
    return this.delay(ms, signal);
  }

  /** The delays that are running. */
  running(): readonly Waiting[] {
    return [...this.#running];
  }
}

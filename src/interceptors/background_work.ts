import { type HotplugError, isAbortError, toHotplugError } from "../model/errors.ts";
import type { Logger } from "../model/log.ts";

/** Time, as far as hooks need it. */
export interface HookClock {
  /** Milliseconds since some fixed point; only ever goes forward. */
  ticks(): number;
  /** Resolves after `ms` milliseconds, or at once when `signal` aborts. Never rejects. */
  delay(ms: number, signal: AbortSignal): Promise<void>;
}

/** How {@linkcode BackgroundWork} works. */
export interface BackgroundWorkOptions {
  /** Time. */
  readonly clock: HookClock;
  /** Where failures and what is left out are written. */
  readonly log: Logger;
}

/** Works that run at one time. */
const MOST_RUNNING = 4;

/** Works that wait; of more the oldest are left out. */
const MOST_WAITING = 256;

/** Milliseconds that one may take: the most that a file can set for a program. */
const LONGEST_MS = 600_000;

/** Milliseconds that works get to end after they were told to. */
const ABORTED_MS = 500;

/** A work, told when nobody waits for it any more. */
export type Work = (signal: AbortSignal) => Promise<void>;

/**
 * Does works in the background, a few at a time, and holds nothing up. Of works under one key only
 * the newest waits, and they never overlap.
 */
export class BackgroundWork {
  readonly #clock: HookClock;
  readonly #log: Logger;
  readonly #waiting = new Map<unknown, Work>();
  readonly #running = new Map<unknown, { readonly end: AbortController; done: Promise<void> }>();

  #isFull = false;

  /** Nothing to do yet. */
  constructor({ clock, log }: BackgroundWorkOptions) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Adds a work; under a key it takes the place of one that waits. */
  add(key: string | null, work: Work): void {
    const id = key ?? {};
    // At its end, behind what came in between.
    this.#waiting.delete(id);
    this.#waiting.set(id, work);
    if (this.#waiting.size > MOST_WAITING) {
      const [oldest] = this.#waiting.keys();
      this.#waiting.delete(oldest);
      this.#tellFull();
    }
    this.#startMore();
  }

  /**
   * Waits until all is done, at most `ms`; what is not done then is told to end, and what has not
   * begun is left out. Bounded, never rejects; works may be added again afterwards.
   */
  async finished(ms: number): Promise<void> {
    await this.#idleWithin(ms);
    this.#waiting.clear();
    for (const { end } of this.#running.values()) end.abort();
    await this.#idleWithin(ABORTED_MS);
  }

  async #idleWithin(ms: number): Promise<void> {
    if (this.#running.size === 0) return;
    const waited = new AbortController();
    const idle = async (): Promise<void> => {
      while (this.#running.size > 0) {
        await Promise.all([...this.#running.values()].map(({ done }) => done));
      }
    };
    await Promise.race([idle(), this.#clock.delay(ms, waited.signal)]);
    waited.abort();
  }

  /** Once, until all that waited has had its turn. */
  #tellFull(): void {
    if (this.#isFull) return;
    this.#isFull = true;
    this.#log.log("warn", "Hooks are too slow; some are not told of everything");
  }

  #startMore(): void {
    if (this.#waiting.size === 0) this.#isFull = false;
    for (const [key, work] of this.#waiting) {
      if (this.#running.size >= MOST_RUNNING) return;
      if (this.#running.has(key)) continue;
      this.#waiting.delete(key);
      const running = { end: new AbortController(), done: Promise.resolve() };
      this.#running.set(key, running);
      running.done = this.#run(work, running.end).finally(() => {
        this.#running.delete(key);
        this.#startMore();
      });
    }
  }

  /** Never rejects. A work that does not end when it is told to is left to itself. */
  async #run(work: Work, end: AbortController): Promise<void> {
    const finished = new AbortController();
    const { signal } = end;
    const late = this.#clock.delay(LONGEST_MS, AbortSignal.any([finished.signal, signal]))
      .then(async () => {
        if (finished.signal.aborted) return;
        end.abort();
        await this.#clock.delay(ABORTED_MS, finished.signal);
      });
    try {
      await Promise.race([(async () => await work(signal))(), late]);
    } catch (thrown) {
      if (!signal.aborted || !isAbortError(thrown)) this.#failed(toHotplugError(thrown));
    } finally {
      finished.abort();
    }
  }

  #failed({ message, stderr }: HotplugError): void {
    this.#log.log("warn", "A hook failed", {
      cause: message,
      ...(stderr === "" ? {} : { stderr }),
    });
  }
}

/** The clock that time-outs run by; tests give their own. */
export interface Timers {
  /** Calls `action` once after `ms` milliseconds; gives what stops it. */
  after(ms: number, action: () => void): () => void;
  /** Milliseconds since some fixed point. */
  now(): number;
}

/** The longest time a timer takes; beyond it runtimes would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** The clock of the machine. */
export const systemTimers: Timers = {
  after(ms: number, action: () => void): () => void {
    const handle = setTimeout(action, Math.min(ms, LONGEST_TIMER));
    return () => clearTimeout(handle);
  },
  now(): number {
    return performance.now();
  },
};

/** Resolves when `work` has settled or `ms` milliseconds have passed; never rejects. */
export function settledWithin(work: Promise<unknown>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const stop = systemTimers.after(ms, resolve);
    const done = (): void => {
      stop();
      resolve();
    };
    work.then(done, done);
  });
}

/** Waits so many milliseconds. @throws The signal's reason, as soon as it fires. */
export function delay(
  timers: Timers,
  ms: number,
  signal: AbortSignal | null | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      stop();
      reject(signal?.reason);
    };
    const stop = timers.after(ms, () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
  });
}

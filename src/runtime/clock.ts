import { clearTimeout, setTimeout } from "node:timers";

/** Time as an effect, so that tests can turn it by hand. */
export interface Clock {
  /** Milliseconds since 1970; the user or the network may set it. */
  now(): number;
  /** Milliseconds since some fixed point; only ever goes forward. */
  ticks(): number;
  /** Resolves after `ms` milliseconds, or at once when `signal` aborts. Never rejects. */
  delay(ms: number, signal: AbortSignal): Promise<void>;
  /** The same without keeping the process alive. */
  idle(ms: number, signal: AbortSignal): Promise<void>;
}

/** The clock of the machine. Its timers end with their signal, so none outlives its use. */
export const machineClock: Clock = {
  now: () => Date.now(),
  ticks: () => performance.now(),
  delay: (ms, signal) => after(ms, signal, true),
  idle: (ms, signal) => after(ms, signal, false),
};

function after(ms: number, signal: AbortSignal, keepsAlive: boolean): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    if (!keepsAlive) timer.unref();
    signal.addEventListener("abort", finish);
  });
}

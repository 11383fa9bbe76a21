import { setTimeout as delay } from "node:timers/promises";

/** Milliseconds between two looks at processes that give no sign at their end. */
const POLL_MS = 20;

/** Waits until something no longer runs, at most so many milliseconds; whether it has ended. */
export async function endedWithin(ms: number, runs: () => boolean): Promise<boolean> {
  const deadline = performance.now() + ms;
  while (runs()) {
    const left = deadline - performance.now();
    if (left <= 0) return false;
    await delay(Math.min(POLL_MS, left));
  }
  return true;
}

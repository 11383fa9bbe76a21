import type { Waited } from "./periodic_check.ts";

/** Milliseconds between two looks at the clocks. */
export const SLEEP_LOOK_MS = 5_000;

/** Milliseconds by which a look may be late before it means that the machine has slept. */
const LATE_MS = 15_000;

/**
 * Whether the machine has slept, or the process was stopped, while {@linkcode SLEEP_LOOK_MS} were
 * to be waited for. The clock on the wall goes on during sleep and the other one need not, so that
 * either counts; that somebody set the clock then costs no more than a needless question.
 */
export function hasSlept({ wallMs, ticksMs }: Waited): boolean {
  return Math.max(wallMs, ticksMs) - SLEEP_LOOK_MS > LATE_MS;
}

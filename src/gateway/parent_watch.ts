import type { Clock } from "../runtime/clock.ts";

/** Milliseconds between two looks. */
const LOOK_MS = 2_000;

/**
 * Resolves when the process that started this one is gone: its end of the pipes may be held open by
 * somebody else, so that they tell nothing. Resolves as well when the signal aborts; never rejects.
 * @param isAlive Looks whether it is still there.
 */
export async function parentGone(
  isAlive: () => boolean,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && isAlive()) await clock.idle(LOOK_MS, signal);
}

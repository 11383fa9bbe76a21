import { HotplugError } from "./errors.ts";

/** The error for a caller's own abort. */
export function abortedError(signal: AbortSignal | undefined): HotplugError {
  return new HotplugError("aborted", "Aborted", { cause: signal?.reason });
}

/**
 * The work's outcome, or `aborted` as soon as the signal fires, whichever comes first. However long
 * the signal lives, nothing stays attached to it.
 * @throws {HotplugError} `aborted`, and whatever the work rejects with.
 */
export function unlessAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(abortedError(signal));
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    const detach = (): void => signal.removeEventListener("abort", onAbort);
    work.then((value) => {
      detach();
      resolve(value);
    }, (error: unknown) => {
      detach();
      reject(error);
    });
  });
}

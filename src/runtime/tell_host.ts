import { toHotplugError } from "../model/errors.ts";
import type { Logger } from "../model/log.ts";

/** Calls into the host. */
export type TellHost = (call: () => unknown) => void;

/**
 * A way to call into the host by which nothing is stopped: what it throws is logged, and so is what
 * a callback that is `async` rejects with, which would else end the process. Nobody waits for it.
 */
export function hostTeller(log: Logger): TellHost {
  const failed = (thrown: unknown): void =>
    log.log("error", "A callback of the host has thrown", {
      cause: toHotplugError(thrown).message,
    });
  return (call) => {
    try {
      const result = call();
      if (result instanceof Promise) result.catch(failed);
    } catch (thrown) {
      failed(thrown);
    }
  };
}

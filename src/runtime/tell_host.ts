import { toHotplugError } from "../model/errors.ts";
import type { Logger } from "../model/log.ts";

/** Calls into the host. */
export type TellHost = (call: () => void) => void;

/** A way to call into the host by which nothing is stopped: what it throws is logged. */
export function hostTeller(log: Logger): TellHost {
  return (call) => {
    try {
      call();
    } catch (thrown) {
      log.log("error", "A callback of the host has thrown", {
        cause: toHotplugError(thrown).message,
      });
    }
  };
}

import { HotplugError } from "../model/errors.ts";

/** The reason why a connection ended, as the failure of a request that was therefore never sent. */
export function undelivered(reason: HotplugError): HotplugError {
  return new HotplugError(reason.code, reason.message, {
    hint: reason.hint,
    cause: reason.cause,
    processExitCode: reason.processExitCode,
    processSignal: reason.processSignal,
    stderr: reason.stderr,
    details: { ...reason.details, delivered: "no" },
  });
}

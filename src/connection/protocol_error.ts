import { HotplugError } from "../model/errors.ts";
import type { JsonValue } from "../model/json.ts";
import type { FrameError } from "./frames.ts";

/** Code of 2025-11-25 for a request that needs the user to visit a page first. */
export const URL_ELICITATION_REQUIRED = -32042;

/** A server's JSON-RPC error as ours; `details` keep its number and data. */
export function protocolError(name: string, error: FrameError): HotplugError {
  return new HotplugError(
    "protocol-error",
    `"${name}" answered with error ${error.code}: ${error.message}`,
    { details: { code: error.code, message: error.message, data: error.data ?? null } },
  );
}

/** The server's word that it will not answer a request of ours. */
export function cancelledError(name: string, reason: JsonValue | undefined): HotplugError {
  const said = typeof reason === "string" && reason !== "" ? `: ${reason}` : "";
  return new HotplugError("protocol-error", `"${name}" cancelled the request${said}`, {
    details: { cancelled: true },
  });
}

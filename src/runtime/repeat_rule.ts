import { type ErrorCode, HotplugError } from "../model/errors.ts";
import type { ToolInfo } from "../model/listing.ts";

/** Failures that say that the connection, not the request, is at fault. */
const OF_CONNECTION: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "connection-closed",
  "server-exited",
  "server-unreachable",
]);

/**
 * Whether a request failed because the server could not be reached or went away. An HTTP answer is
 * the server's word, unless it is that of a gateway before a server that is not there.
 */
export function isConnectionFailure(thrown: unknown): thrown is HotplugError {
  if (!(thrown instanceof HotplugError) || !OF_CONNECTION.has(thrown.code)) return false;
  const { status } = thrown.details;
  return typeof status !== "number" || status === 502 || status === 503 || status === 504;
}

/** Whether a failed request surely never reached the server's own work. */
export function wasNotProcessed(error: HotplugError): boolean {
  return error.details["delivered"] === "no";
}

/**
 * Whether calling a tool twice does no harm: it says that it only reads, or that a second call with
 * the same arguments changes nothing more (`readOnlyHint`, `idempotentHint` of MCP).
 */
export function isRepeatable({ annotations }: ToolInfo): boolean {
  return annotations?.["readOnlyHint"] === true || annotations?.["idempotentHint"] === true;
}

/**
 * The failure of a call that may have been carried out before the connection was lost, and that is
 * therefore not repeated by itself.
 */
export function outcomeUnknown(server: string, tool: string, lost: HotplugError): HotplugError {
  return new HotplugError(
    "outcome-unknown",
    `outcome unknown: "${server}" was lost while it ran "${tool}": ${lost.message}`,
    {
      hint: "It may have been carried out; check before you call it again",
      cause: lost,
      processExitCode: lost.processExitCode,
      processSignal: lost.processSignal,
      stderr: lost.stderr,
      details: { delivered: "unknown" },
    },
  );
}

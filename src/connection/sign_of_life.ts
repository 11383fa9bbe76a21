import type { MCPServerConnection } from "../model/connection.ts";
import { type HotplugError, toHotplugError } from "../model/errors.ts";

/** Milliseconds that a remote server may take for a sign of life. */
const LONGEST_SILENCE_MS = 10_000;

/**
 * Asks a remote server for a sign of life. Never rejects.
 * @param isBusy Whether other requests are under way: then it may be slow to answer.
 * @returns Why nobody is there; `null` for any answer, also a refusal of the question.
 */
export async function missingSignOfLife(
  connection: Pick<MCPServerConnection, "protocol" | "request">,
  isBusy: () => boolean,
  signal: AbortSignal,
): Promise<HotplugError | null> {
  const method = connection.protocol.era === "modern" ? "server/discover" : "ping";
  try {
    await connection.request(method, {}, { timeout: LONGEST_SILENCE_MS, signal });
    return null;
  } catch (thrown) {
    const failure = toHotplugError(thrown);
    return isDeath(failure, isBusy()) ? failure : null;
  }
}

function isDeath({ code, details }: HotplugError, isBusy: boolean): boolean {
  if (code === "request-timeout") return !isBusy;
  if (code === "needs-auth" || code === "unauthorized") return true;
  const { status } = details;
  if (typeof status === "number" && status < 500) return false;
  return code === "server-unreachable" || code === "connection-closed";
}

import { HotplugError, toHotplugError } from "../model/errors.ts";
import type { ToolResult } from "../model/tool.ts";
import { modelText } from "./model_text.ts";

/**
 * What a model reads when a call came to nothing: `MCP error:`, the server, what happened, and
 * what can be done about it.
 */
export function failureResult(server: string, tool: string, thrown: unknown): ToolResult {
  const { message, hint } = toHotplugError(thrown);
  // Most messages name the server themselves.
  const subject = message.includes(`"${server}"`) ? "" : `server "${server}": `;
  const advice = hint === null ? "" : `. ${hint}`;
  return {
    content: [{ type: "text", text: modelText(`MCP error: ${subject}${message}${advice}`) }],
    isError: true,
    details: { server, tool, result: null, spillFile: null },
  };
}

/**
 * The error to rethrow when a failure means that the caller's signal fired, else `null`. Whatever
 * the reason was that the caller gave to `abort()`, the error thrown is one for `isAbortError`.
 */
export function abortOf(thrown: unknown, signal: AbortSignal | undefined): HotplugError | null {
  // Without that, somebody else gave up: for this caller it is a failure like any other.
  if (signal?.aborted !== true) return null;
  if (thrown instanceof HotplugError && thrown.code === "aborted") return thrown;
  return new HotplugError("aborted", "Aborted", { cause: thrown });
}

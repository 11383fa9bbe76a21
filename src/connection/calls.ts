import type { MCPServerConnection } from "../model/connection.ts";
import { HotplugError } from "../model/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { ToolInfo } from "../model/listing.ts";
import type { CallToolResult, RequestOptions } from "../model/tool.ts";
import { finished } from "./finished_request.ts";
import { headersOfCall, paramHeaders } from "./param_headers.ts";
import { systemTimers } from "./timers.ts";
import type { WireRequestOptions } from "./wire_options.ts";

/**
 * Calls a tool. The result is taken as it comes: unknown kinds of content, structured content of
 * any shape and missing fields are no failure.
 * @throws {HotplugError} What {@linkcode MCPServerConnection.request} throws.
 */
export async function callTool(
  connection: MCPServerConnection,
  tool: ToolInfo,
  args: JsonObject,
  options: RequestOptions = {},
): Promise<CallToolResult> {
  const params = { name: tool.name, arguments: args };
  const headers = callHeaders(connection, tool, args);
  const wireOptions: WireRequestOptions = headers === null ? options : { ...options, headers };
  return readCallResult(await finished(connection, "tools/call", params, wireOptions));
}

/** Reads a resource. @throws {HotplugError} As {@linkcode callTool}. */
export async function readResource(
  connection: MCPServerConnection,
  uri: string,
  options: RequestOptions = {},
): Promise<JsonObject> {
  return await finished(connection, "resources/read", { uri }, options);
}

/** Asks for a prompt. @throws {HotplugError} As {@linkcode callTool}. */
export async function getPrompt(
  connection: MCPServerConnection,
  name: string,
  args: Readonly<Record<string, string>>,
  options: RequestOptions = {},
): Promise<JsonObject> {
  return await finished(connection, "prompts/get", { name, arguments: args }, options);
}

/** What an argument is completed of: a prompt by its name, or a resource template by its URI. */
export type CompletionRef =
  | { readonly type: "ref/prompt"; readonly name: string }
  | { readonly type: "ref/resource"; readonly uri: string };

/** Proposals for the value of one argument. */
export interface Completion {
  /** The values, at most 100 by the protocol. */
  readonly values: readonly string[];
  /** How many there are in all; `null` when the server does not say. */
  readonly total: number | null;
  /** Whether there are more than these. */
  readonly hasMore: boolean;
}

/**
 * Asks for proposals for an argument of a prompt or resource template.
 * @param context Values of the other arguments that are known already.
 * @throws {HotplugError} As {@linkcode MCPServerConnection.request}.
 */
export async function complete(
  connection: MCPServerConnection,
  ref: CompletionRef,
  argument: { readonly name: string; readonly value: string },
  options: RequestOptions & { readonly context?: Readonly<Record<string, string>> } = {},
): Promise<Completion> {
  const { context, ...requestOptions } = options;
  const params = {
    ref: { ...ref },
    argument: { ...argument },
    ...(context === undefined ? {} : { context: { arguments: { ...context } } }),
  };
  const result = await connection.request("completion/complete", params, requestOptions);
  const completion = isJsonObject(result["completion"]) ? result["completion"] : {};
  const { values, total, hasMore } = completion;
  return {
    values: Array.isArray(values) ? values.filter((value) => typeof value === "string") : [],
    total: typeof total === "number" ? total : null,
    hasMore: hasMore === true,
  };
}

/**
 * Asks a server whether it is there: by `ping`, in the modern era by `server/discover`. Any answer
 * will do, an error too. Gives how many milliseconds it took.
 * @throws {HotplugError} As {@linkcode MCPServerConnection.request}, but for a server's own error.
 */
export async function ping(
  connection: MCPServerConnection,
  options: RequestOptions = {},
): Promise<number> {
  const start = systemTimers.now();
  const method = connection.protocol.era === "modern" ? "server/discover" : "ping";
  await connection.request(method, {}, options).catch((thrown) => {
    const answered = thrown instanceof HotplugError && thrown.code === "protocol-error" &&
      typeof thrown.details["code"] === "number";
    if (!answered) throw thrown;
  });
  return systemTimers.now() - start;
}

/** The envelope of a tool's result, whatever its shape. */
export function readCallResult(raw: JsonObject): CallToolResult {
  const { content, structuredContent, toolResult } = raw;
  return {
    content: contentBlocks(content ?? toolResult),
    ...(structuredContent === undefined ? {} : { structuredContent }),
    isError: raw["isError"] === true,
    raw,
  };
}

function contentBlocks(content: JsonValue | undefined): JsonObject[] {
  if (content === undefined || content === null) return [];
  const blocks = Array.isArray(content) ? content as JsonValue[] : [content];
  return blocks.map((block) => {
    if (isJsonObject(block) && typeof block["type"] === "string") return block;
    return { type: "text", text: typeof block === "string" ? block : JSON.stringify(block) };
  });
}

/** The headers that modern HTTP wants of a call; `null` for none. */
export function callHeaders(
  connection: MCPServerConnection,
  tool: ToolInfo,
  args: JsonObject,
): Record<string, string> | null {
  if (connection.protocol.era !== "modern" || connection.transport !== "streamable_http") {
    return null;
  }
  const declared = paramHeaders(tool.inputSchema);
  if (!declared.ok || declared.headers.length === 0) return null;
  return headersOfCall(declared.headers, args);
}

import type { MCPServerConnection } from "../model/connection.ts";
import { HotplugError } from "../model/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { ToolInfo } from "../model/listing.ts";
import type { CallToolResult, RequestOptions } from "../model/tool.ts";
import { headersOfCall, paramHeaders } from "./param_headers.ts";
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
  const raw = complete(connection, await connection.request("tools/call", params, wireOptions));
  return readCallResult(raw);
}

/** Reads a resource. @throws {HotplugError} As {@linkcode callTool}. */
export async function readResource(
  connection: MCPServerConnection,
  uri: string,
  options: RequestOptions = {},
): Promise<JsonObject> {
  return complete(connection, await connection.request("resources/read", { uri }, options));
}

/** Asks for a prompt. @throws {HotplugError} As {@linkcode callTool}. */
export async function getPrompt(
  connection: MCPServerConnection,
  name: string,
  args: Readonly<Record<string, string>>,
  options: RequestOptions = {},
): Promise<JsonObject> {
  const params = { name, arguments: args };
  return complete(connection, await connection.request("prompts/get", params, options));
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

function callHeaders(
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

/** A finished result; the modern era also knows results that ask the client for input. */
function complete(connection: MCPServerConnection, result: JsonObject): JsonObject {
  const kind = result["resultType"];
  if (connection.protocol.era !== "modern" || kind === undefined || kind === "complete") {
    return result;
  }
  const message = kind === "input_required"
    ? `"${connection.name}" asks for input from the user, which is not supported`
    : `"${connection.name}" answered with an unknown kind of result: ${JSON.stringify(kind)}`;
  throw new HotplugError("protocol-error", message, { details: { resultType: kind } });
}

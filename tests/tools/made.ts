import type { JsonObject, JsonValue } from "../../src/model/json.ts";
import type { ToolInfo } from "../../src/model/listing.ts";
import type {
  CallToolResult,
  Tool,
  ToolCaller,
  ToolContent,
  ToolResult,
} from "../../src/model/tool.ts";
import { MCPTool } from "../../src/tools/mcp_tool.ts";

/** A tool as a server could list it. */
export function madeTool(parts: Partial<ToolInfo> = {}): ToolInfo {
  const inputSchema = parts.inputSchema ?? { type: "object", properties: {} };
  const name = parts.name ?? "search";
  return {
    name,
    title: null,
    description: "Finds things",
    inputSchema,
    outputSchema: null,
    annotations: null,
    raw: { name, inputSchema },
    ...parts,
  };
}

/** An answer to `tools/call`. */
export function madeResult(
  content: readonly JsonObject[],
  rest: { readonly structuredContent?: JsonValue; readonly isError?: boolean } = {},
): CallToolResult {
  return { isError: false, ...rest, content, raw: { content, ...rest } };
}

/** The texts of rendered content. */
export function textsOf(content: readonly ToolContent[]): string[] {
  return content.flatMap((piece) => piece.type === "text" ? [piece.text] : []);
}

/** A tool as a session offers it; it answers with a text that names it and its arguments. */
export function offeredTool(
  name: string,
  parts: Partial<ToolInfo> = {},
  { server = "srv", answer }: { readonly server?: string; readonly answer?: CallToolResult } = {},
): Tool {
  const caller: ToolCaller = {
    callTool: (tool, args) =>
      Promise.resolve(
        answer ??
          madeResult([{ type: "text", text: `${server}.${tool.name} ${JSON.stringify(args)}` }]),
      ),
  };
  const info = madeTool(parts);
  const offer = { name, server, provider: null, info, autoApprove: false, cacheFolder: null };
  return new MCPTool(offer, caller);
}

/** What a model gets of a call. */
export function madeToolResult(content: readonly ToolContent[], isError = false): ToolResult {
  const details = { server: "srv", tool: "search", result: null, spillFile: null };
  return { content, isError, details };
}

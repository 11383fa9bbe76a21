import type { JsonObject, JsonValue } from "../../src/model/json.ts";
import type { ToolInfo } from "../../src/model/listing.ts";
import type { CallToolResult, ToolContent } from "../../src/model/tool.ts";

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

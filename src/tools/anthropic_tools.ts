// deno-lint-ignore-file camelcase -- the names are the vendor's
import type { JsonObject } from "../model/json.ts";
import type { Tool } from "../model/tool.ts";
import { fitTools, shapedTools, type VendorTools } from "./vendor_tools.ts";

/** A tool of Anthropic's Messages API. */
export interface AnthropicTool {
  /** Public name. */
  readonly name: string;
  /** What it does. */
  readonly description: string;
  /** JSON Schema of the arguments, an object at its root. */
  readonly input_schema: JsonObject;
}

/**
 * Tools for the key `tools` of Anthropic's Messages API. Pure.
 * @param tools Those of a session or of a manager, in their order.
 */
export function toAnthropicTools(tools: readonly Tool[]): VendorTools<AnthropicTool> {
  return shapedTools(fitTools("anthropic", tools), ({ name, description, schema }) => ({
    name,
    description,
    input_schema: schema,
  }));
}

import type { JsonObject } from "../model/json.ts";
import type { Tool } from "../model/tool.ts";
import { fitTools, shapedTools, type VendorTools } from "./vendor_tools.ts";

/** A function tool of OpenAI's Chat Completions API, which many other vendors take as well. */
export interface OpenAIChatTool {
  /** Kind of tool. */
  readonly type: "function";
  /** The function. */
  readonly function: {
    /** Public name. */
    readonly name: string;
    /** What it does. */
    readonly description: string;
    /** JSON Schema of the arguments. */
    readonly parameters: JsonObject;
  };
}

/** A function tool of OpenAI's Responses API. */
export interface OpenAIResponsesTool {
  /** Kind of tool. */
  readonly type: "function";
  /** Public name. */
  readonly name: string;
  /** What it does. */
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject;
  /** Always `false`: the strict mode, which is the default there, takes few schemas of servers. */
  readonly strict: false;
}

/**
 * Tools for the key `tools` of OpenAI's Chat Completions API. Pure.
 * @param tools Those of a session or of a manager, in their order.
 */
export function toOpenAIChatTools(tools: readonly Tool[]): VendorTools<OpenAIChatTool> {
  return shapedTools(fitTools("openai", tools), ({ name, description, schema }) => ({
    type: "function",
    function: { name, description, parameters: schema },
  }));
}

/**
 * Tools for the key `tools` of OpenAI's Responses API. Pure.
 * @param tools Those of a session or of a manager, in their order.
 */
export function toOpenAIResponsesTools(tools: readonly Tool[]): VendorTools<OpenAIResponsesTool> {
  return shapedTools(fitTools("openai", tools), ({ name, description, schema }) => ({
    type: "function",
    name,
    description,
    parameters: schema,
    strict: false,
  }));
}

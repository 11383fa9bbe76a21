import type { JsonObject } from "../model/json.ts";
import type { Tool } from "../model/tool.ts";
import { fitTools, type VendorTools } from "./vendor_tools.ts";

/** A function of the Gemini API. */
export interface GeminiFunction {
  /** Public name. */
  readonly name: string;
  /** What it does. */
  readonly description: string;
  /** Schema of the arguments; not there for a function without any, as Gemini wants it. */
  readonly parameters?: JsonObject;
}

/** A tool object of the Gemini API: all functions stand in one. */
export interface GeminiTool {
  /** The functions. */
  readonly functionDeclarations: readonly GeminiFunction[];
}

/**
 * Tools for the key `tools` of the Gemini API: one object that declares every function, or none
 * when there is no function, for Gemini refuses an empty declaration. Pure.
 * @param tools Those of a session or of a manager, in their order.
 */
export function toGeminiTools(tools: readonly Tool[]): VendorTools<GeminiTool> {
  const { tools: fitted, leftOut, warnings } = fitTools("gemini", tools);
  const functionDeclarations = fitted.map(({ name, description, schema }): GeminiFunction =>
    schema["properties"] === undefined && schema["anyOf"] === undefined
      ? { name, description }
      : { name, description, parameters: schema }
  );
  return {
    tools: functionDeclarations.length === 0 ? [] : [{ functionDeclarations }],
    leftOut,
    warnings,
  };
}

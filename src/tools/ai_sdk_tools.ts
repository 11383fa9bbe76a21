import type { JsonObject } from "../model/json.ts";
import type { Tool, ToolResult } from "../model/tool.ts";
import { type AiSdkOutput, toAiSdkOutput } from "./ai_sdk_output.ts";
import type { ModelVendor } from "./model_schema.ts";
import { fitTools, type ToolWarning } from "./vendor_tools.ts";

/** The marks by which the AI SDK knows a schema; version 5 of `ai` looks for both of them. */
const MARKS: readonly symbol[] = [
  Symbol.for("vercel.ai.schema"),
  Symbol.for("vercel.ai.validator"),
];

/** A schema as the AI SDK takes it; the same as its function `jsonSchema()` gives. */
export interface AiSdkSchema {
  /** The JSON Schema. */
  readonly jsonSchema: JsonObject;
  /** Never set: the server checks the arguments itself. */
  readonly validate: undefined;
}

/** A tool of the AI SDK. */
export interface AiSdkTool {
  /** Its arguments are known at run time only. */
  readonly type: "dynamic";
  /** Title for humans. */
  readonly title: string;
  /** What it does. */
  readonly description: string;
  /** Schema of the arguments. */
  readonly inputSchema: AiSdkSchema;
  /**
   * Calls the tool. A failed call is a result like any other: the model reads why.
   * @throws {HotplugError} `aborted`, when `abortSignal` fired; nothing else.
   */
  execute(input: unknown, options?: AiSdkCallOptions): Promise<ToolResult>;
  /** What the model reads of a result: in `ai` 5 the result is given, later an object with it. */
  toModelOutput(given: ToolResult | { readonly output: ToolResult }): AiSdkOutput;
}

/** What the AI SDK tells a tool about a call, as far as it matters here. */
export interface AiSdkCallOptions {
  /** Ends the call. */
  readonly abortSignal?: AbortSignal | undefined;
}

/** How {@linkcode toAiSdkTools} converts. */
export interface AiSdkOptions {
  /** Whose models are asked. Default `openai`: closest to what servers list. */
  readonly vendor?: ModelVendor;
  /**
   * Major version of the package `ai`. Default: told from the calls, where 7 counts as 6, whose
   * pictures it takes with a warning that they are written in an older way.
   */
  readonly version?: 5 | 6 | 7;
}

/** Tools in the form of the AI SDK. */
export interface AiSdkTools<Tools> {
  /** The tools by public name, as the SDK takes them; empty when there are none. */
  readonly tools: Tools;
  /** Public names of the tools that are left out. */
  readonly leftOut: readonly string[];
  /** What was repaired, and why tools are left out. */
  readonly warnings: readonly ToolWarning[];
}

/**
 * Tools for the key `tools` of the AI SDK's `generateText()`, `streamText()` and agents, from
 * version 5 of the package `ai` on. They call their servers by themselves. The package is not
 * needed here; its type of tools can be named by the caller.
 *
 * @example
 * ```ts
 * import { generateText, type ToolSet } from "ai";
 *
 * const { tools } = toAiSdkTools<ToolSet>(session.tools, { version: 7 });
 * await generateText({ model, prompt, tools: { ...ownTools, ...tools } });
 * ```
 */
export function toAiSdkTools<Tools = Readonly<Record<string, AiSdkTool>>>(
  tools: readonly Tool[],
  options: AiSdkOptions = {},
): AiSdkTools<Tools> {
  const { vendor = "openai", version } = options;
  const { tools: fitted, leftOut, warnings } = fitTools(vendor, tools);
  const entries = fitted.map(({ tool, name, description, schema }) => {
    const converted: AiSdkTool = {
      type: "dynamic",
      title: tool.label,
      description,
      inputSchema: markedSchema(schema),
      // The SDK has parsed the arguments, and gives only objects to a tool whose schema is one.
      execute: (input, { abortSignal } = {}) =>
        tool.execute((input ?? {}) as JsonObject, { signal: abortSignal }),
      toModelOutput: (given) =>
        "output" in given
          ? toAiSdkOutput(given.output, { version: version ?? 6 })
          : toAiSdkOutput(given, { version: version ?? 5 }),
    };
    return [name, converted] as const;
  });
  return { tools: Object.fromEntries(entries) as Tools, leftOut, warnings };
}

function markedSchema(schema: JsonObject): AiSdkSchema {
  const marks = Object.fromEntries(MARKS.map((mark) => [mark, true]));
  return { ...marks, jsonSchema: schema, validate: undefined };
}

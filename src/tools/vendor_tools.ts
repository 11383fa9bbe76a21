import type { JsonObject } from "../model/json.ts";
import type { Tool } from "../model/tool.ts";
import { forVendor, type ModelVendor } from "./model_schema.ts";

/** What is to be known about one tool of those that were converted. */
export interface ToolWarning {
  /** Public name of the tool. */
  readonly name: string;
  /** Name of the server behind it. */
  readonly server: string;
  /** What was repaired or lost, or why the tool is left out: one sentence. */
  readonly message: string;
}

/** Tools in the form of one vendor's API. */
export interface VendorTools<Shape> {
  /**
   * The converted tools, in the order of the tool set: to be merged with the host's own. Empty when
   * there are none; a request then carries no list of tools, for vendors refuse an empty one.
   */
  readonly tools: readonly Shape[];
  /** Public names of the tools that the vendor would not take. */
  readonly leftOut: readonly string[];
  /** What was repaired, and why tools are left out. */
  readonly warnings: readonly ToolWarning[];
}

/** A tool that a vendor takes: what the model is told of it. */
export interface FittedTool {
  /** The tool itself. */
  readonly tool: Tool;
  /** Public name. */
  readonly name: string;
  /** What it does; never empty, as some vendors ask for it. */
  readonly description: string;
  /** Schema of the arguments in the vendor's form. */
  readonly schema: JsonObject;
}

/** Names that each vendor takes; a request with another one is refused as a whole. */
const NAMES: Readonly<Record<ModelVendor, RegExp>> = {
  anthropic: /^[a-zA-Z0-9_-]{1,128}$/,
  gemini: /^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/,
  openai: /^[a-zA-Z0-9_-]{1,64}$/,
};

/**
 * Fits tools to a vendor, each alone: what one of them costs never costs another. Left out are
 * tools whose arguments, whose name or whose repeated name would make the vendor refuse the request.
 * Pure.
 */
export function fitTools(vendor: ModelVendor, tools: readonly Tool[]): VendorTools<FittedTool> {
  const fitted = new Map<string, FittedTool>();
  const leftOut: string[] = [];
  const warnings: ToolWarning[] = [];
  for (const tool of tools) {
    const { name, server } = tool;
    const refused = nameFault(vendor, name, fitted);
    const { schema, warnings: found } = refused === null
      ? forVendor(vendor, { ...tool.info, inputSchema: tool.parameters })
      : { schema: null, warnings: [refused] };
    for (const message of found) warnings.push({ name, server, message });
    if (schema === null) leftOut.push(name);
    else fitted.set(name, { tool, name, description: tool.description || tool.label, schema });
  }
  return { tools: [...fitted.values()], leftOut, warnings };
}

/** The same answer with every tool in its final shape. */
export function shapedTools<Shape>(
  { tools, leftOut, warnings }: VendorTools<FittedTool>,
  shape: (tool: FittedTool) => Shape,
): VendorTools<Shape> {
  return { tools: tools.map(shape), leftOut, warnings };
}

function nameFault(
  vendor: ModelVendor,
  name: string,
  taken: ReadonlyMap<string, unknown>,
): string | null {
  if (taken.has(name)) return "The tool is left out: another one has its name.";
  if (NAMES[vendor].test(name)) return null;
  return "The tool is left out: the vendor takes no such name.";
}

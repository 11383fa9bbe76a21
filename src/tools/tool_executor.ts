import { throwIfAborted } from "../model/errors.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { RequestOptions, Tool, ToolResult } from "../model/tool.ts";
import { abortOf, failureResult } from "./failure_result.ts";
import { modelText } from "./model_text.ts";
import { eitherOf, nearNames } from "./near_names.ts";

/** Characters of a wrong name that are repeated to the model. */
const SHOWN_NAME = 128;

/** Calls tools by the names that the model knows them by. */
export interface ToolExecutor {
  /** Whether a name means one of these tools, so that the host need not look elsewhere. */
  has(name: string): boolean;
  /**
   * Calls a tool. Whatever goes wrong is a result whose text starts with `MCP error:`: an unknown
   * name, with the names it may stand for; arguments that are no JSON; the call itself.
   * @param args The arguments as an object, or as the text that the model wrote. An empty text,
   * `null` (also as text) and `undefined` stand for no arguments.
   * @throws {HotplugError} `aborted`, when `options.signal` fired; nothing else.
   */
  execute(name: string, args: unknown, options?: RequestOptions): Promise<ToolResult>;
}

/** What {@linkcode executorOf} takes beside the tools. */
export interface ExecutorOptions {
  /**
   * Gives the tool of a name that is not offered any more but once was, or `null`: a model may
   * still call what an earlier request of the session told it of.
   */
  readonly lookup?: (name: string) => Tool | null;
}

/**
 * Routes calls to tools by their public names.
 * @param tools The tools, or a function that gives those of the moment: it is asked at each call.
 *
 * @example
 * ```ts
 * const executor = executorOf(() => session.tools);
 * for (const { id, function: { name, arguments: args } } of toolCalls) {
 *   const result = executor.has(name)
 *     ? await executor.execute(name, args, { signal })
 *     : await callOwnTool(name, args);
 *   messages.push(toOpenAIChatAnswer(id, result).message);
 * }
 * ```
 */
export function executorOf(
  tools: readonly Tool[] | (() => readonly Tool[]),
  { lookup = () => null }: ExecutorOptions = {},
): ToolExecutor {
  const offered = typeof tools === "function" ? tools : () => tools;
  let indexed: readonly Tool[] | null = null;
  let byName: ReadonlyMap<string, Tool> = new Map();
  const find = (name: string): Tool | null => {
    const current = offered();
    // A tool set is never changed in place, so the same list has the same names.
    if (current !== indexed) {
      byName = new Map(current.map((tool) => [tool.name, tool]));
      indexed = current;
    }
    return byName.get(name) ?? lookup(name);
  };
  return {
    has: (name) => find(name) !== null,
    execute: async (name, args, options = {}) => {
      throwIfAborted(options.signal);
      const tool = find(name);
      return tool === null
        ? refusal(name, unknownText(name, offered()))
        : await executed(tool, args, options);
    },
  };
}

async function executed(tool: Tool, args: unknown, options: RequestOptions): Promise<ToolResult> {
  const read = readArguments(args);
  if (typeof read === "string") {
    const text = `Cannot call "${tool.name}": ${read}. Send the arguments again as one JSON object`;
    return refusal(tool.info.name, text, tool.server);
  }
  try {
    return await tool.execute(read, options);
  } catch (thrown) {
    // A tool of ours throws for an abort alone; a host's own may do worse.
    const abort = abortOf(thrown, options.signal);
    if (abort !== null) throw abort;
    return failureResult(tool.server, tool.info.name, thrown);
  }
}

/** The arguments, or what is wrong with them. */
function readArguments(given: unknown): JsonObject | string {
  let value: unknown = given ?? {};
  if (typeof value === "string") {
    if (value.trim() === "") return {};
    try {
      value = JSON.parse(value) ?? {};
    } catch (thrown) {
      return `the arguments are not valid JSON (${thrown instanceof Error ? thrown.message : ""})`;
    }
  }
  if (isJsonObject(value)) return value;
  const kind = Array.isArray(value) ? "an array" : `a ${typeof value}`;
  return `the arguments must be an object, not ${kind}`;
}

function unknownText(name: string, tools: readonly Tool[]): string {
  const shown = name.length > SHOWN_NAME ? `${name.slice(0, SHOWN_NAME)}…` : name;
  const near = nearNames(name, tools);
  if (near.length > 0) return `Unknown tool "${shown}". Did you mean ${eitherOf(near)}`;
  return tools.length === 0
    ? `Unknown tool "${shown}". No MCP tool is offered at the moment`
    : `Unknown tool "${shown}". Call a tool of the current list`;
}

/** A result without a call; it comes from no server when the name means none. */
function refusal(tool: string, text: string, server = ""): ToolResult {
  return {
    content: [{ type: "text", text: modelText(`MCP error: ${text}`) }],
    isError: true,
    details: { server, tool, result: null, spillFile: null },
  };
}

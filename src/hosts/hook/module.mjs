// deno-lint-ignore-file explicit-function-return-type explicit-module-boundary-types -- JSDoc has them
import { Toolset } from "./toolset.mjs";
import { unlessAborted } from "./waiting.mjs";

/**
 * A tool of one of the MCP servers.
 *
 * @typedef {object} Tool
 * @property {string} name What the model calls it: `mcp_<server>_<tool>`.
 * @property {string} description
 * @property {Record<string, unknown>} parameters JSON Schema of its arguments.
 * @property {string | null} server The server that it belongs to.
 * @property {(args?: Record<string, unknown>, options?: import("./toolset.mjs").CallOptions) => Promise<import("./toolset.mjs").Result>} execute
 * Runs it. Rejects on an abort only; every other failure is a result with `isError`.
 */

/**
 * The tools as they are now.
 *
 * @typedef {object} OpenToolset
 * @property {number} generation Grows whenever the tools differ; the first is 1.
 * @property {readonly Tool[]} tools
 * @property {(name: string, args?: Record<string, unknown>, options?: import("./toolset.mjs").CallOptions) => Promise<import("./toolset.mjs").Result>} call
 * Runs the tool of this name.
 * @property {Toolset["status"]} status How `mcp` and each server stand.
 * @property {() => Promise<void>} close Ends `mcp` and its servers; at most 5 s. Call it at the end:
 * until then the program lives on.
 */

/**
 * What a tool set is opened with; all of it may be left out.
 *
 * @typedef {object} OpenOptions
 * @property {string} [cwd] The workspace, whose servers run. Default: the current folder.
 * @property {AbortSignal} [signal] Ends the start, and later closes the tool set.
 * @property {(toolset: OpenToolset, diff: import("./tool_list.mjs").Diff) => unknown} [onRefresh]
 * Told whenever the tools are others, as after `mcp reload`.
 * @property {(status: import("./toolset.mjs").Status) => unknown} [onStatus] Told how servers stand.
 * @property {string | readonly string[]} [program] Command line of `mcp`. Default: the one that
 * wrote this file, else `hotplug` or `mcp` on PATH.
 * @property {Readonly<Record<string, string>>} [env] Variables for `mcp` beyond those of this process.
 * @property {number} [startMs] Milliseconds that `mcp` may take to start. Default 15,000.
 * @property {number} [waitMs] Milliseconds that the opening waits for servers that were never seen
 * before; they join later. Default 10,000.
 * @property {number} [silenceMs] Milliseconds of silence during a call after which `mcp` is asked
 * whether it still lives. Default 20,000.
 */

/**
 * Starts `mcp` and gives the tools of all MCP servers of the workspace.
 * Rejects when that fails, with a message that says what to do.
 *
 * @param {OpenOptions} [options]
 * @returns {Promise<OpenToolset>}
 */
export async function openToolset(options = {}) {
  const { signal, onRefresh, program, ...rest } = options;
  signal?.throwIfAborted();
  const inner = new Toolset({
    ...rest,
    program: typeof program === "string" ? [program] : program,
    onRefresh: (diff) => onRefresh?.(toolset, diff),
  });
  /** @type {readonly import("./tool_list.mjs").ListedTool[]} */
  let listed = [];
  /** @type {readonly Tool[]} */
  let tools = [];
  /** @type {OpenToolset} */
  const toolset = {
    get generation() {
      return inner.generation;
    },
    get tools() {
      if (listed !== inner.tools) {
        listed = inner.tools;
        tools = listed.map((tool) => ({
          ...tool,
          execute: (args, how) => inner.call(tool.name, args, how),
        }));
      }
      return tools;
    },
    call: (name, args, how) => inner.call(name, args, how),
    status: () => inner.status(),
    close() {
      signal?.removeEventListener("abort", toolset.close);
      return inner.close();
    },
  };
  signal?.addEventListener("abort", toolset.close);
  try {
    await unlessAborted(inner.start(), signal);
    return toolset;
  } catch (error) {
    // After an abort it ends beside whatever the caller does next.
    const closed = toolset.close();
    if (!signal?.aborted) await closed;
    throw error;
  }
}

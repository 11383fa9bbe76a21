import { isAbortError, toHotplugError } from "../model/errors.ts";
import type { Tool } from "../model/tool.ts";
import type { MCPManager } from "../runtime/manager.ts";
import { assembly } from "./assembly.ts";
import type { ConfigLook } from "./config_reader.ts";
import { ConfigWatch } from "./config_watch.ts";
import { fileErrors, invalidErrors, type LoadError, serverErrors } from "./load_errors.ts";
import type { LoadMCPToolsOptions } from "./load_options.ts";

/** A tool, and where it comes from. */
export interface LoadedMCPTool {
  /** `mcp:<server> via <source>`. */
  readonly path: string;
  /** The tool. */
  readonly tool: Tool;
}

/** What {@linkcode discoverAndLoadMCPTools} gives. */
export interface LoadedMCPTools {
  /** Tools that can be called now; see also `onToolsChanged` and `manager.getTools()`. */
  readonly tools: readonly LoadedMCPTool[];
  /** What failed. The rest works all the same. */
  readonly errors: readonly LoadError[];
  /** Names of the servers that are connected. */
  readonly connectedServers: readonly string[];
  /** Keys found in filtered Exa entries, for a native integration. Secret. */
  readonly exaApiKeys: readonly string[];
  /** The manager behind the tools. The caller ends it: `await using`, or `disconnectAll()`. */
  readonly manager: MCPManager;
}

/**
 * Finds the servers that a machine and a project declare, connects to those that may run, and
 * gives their tools: the one call at a host's start-up.
 *
 * It never rejects but for an abort: a failing server is an entry of `errors`, and a failing
 * discovery gives no tools and one entry with the path `.mcp.json`.
 *
 * @param cwd Current folder of the host; default: of the process.
 * @throws {HotplugError} `aborted`, when `options.signal` fired. Everything is closed then.
 *
 * @example
 * ```ts
 * import { discoverAndLoadMCPTools } from "@hotplug/mcp";
 *
 * const { tools, errors, manager } = await discoverAndLoadMCPTools();
 * await using _closing = manager;
 * for (const { path, error } of errors) console.error(`${path}: ${error.message}`);
 * console.log(tools.map(({ tool }) => tool.name));
 * ```
 */
export async function discoverAndLoadMCPTools(
  cwd?: string,
  options: LoadMCPToolsOptions = {},
): Promise<LoadedMCPTools> {
  const { machine, log, clock, reader, manager: managerFor } = assembly(cwd, options);
  if (options.enableMCP === false) return withoutTools(managerFor(cwd ?? machine.cwd), []);
  let first: ConfigLook;
  try {
    first = await reader.look(options.signal);
  } catch (thrown) {
    if (isAbortError(thrown)) throw thrown;
    const error = toHotplugError(thrown, "discovery-failed").toInfo();
    log.log("error", "Cannot discover MCP servers", { error: error.message });
    return withoutTools(managerFor(cwd ?? machine.cwd), [{ path: ".mcp.json", error }]);
  }
  const { loaded } = first;
  const { configs, sources, plan, exaApiKeys } = loaded;
  const { onReconciled } = options;
  const watch = options.watch ?? loaded.watch ?? false
    ? [new ConfigWatch({ reader, first, clock, log, onReconciled })]
    : [];
  const manager = managerFor(plan.workspacePath, { companions: watch });
  const connected = await manager.connectServers(configs, sources, {
    plan,
    signal: options.signal,
  });
  const errors = [
    ...fileErrors(loaded),
    ...invalidErrors(loaded),
    ...serverErrors(connected.errors),
  ];
  for (const { path, error } of errors) {
    log.log("error", "MCP unavailable", { path, error: error.message });
  }
  return {
    tools: connected.tools.map((tool) => ({ path: tool.path, tool })),
    errors,
    connectedServers: connected.connectedServers,
    exaApiKeys,
    manager,
  };
}

/** The same as {@linkcode discoverAndLoadMCPTools}, for the current folder of the process. */
export async function discoverMCPServers(
  options: LoadMCPToolsOptions = {},
): Promise<LoadedMCPTools> {
  return await discoverAndLoadMCPTools(undefined, options);
}

function withoutTools(manager: MCPManager, errors: readonly LoadError[]): LoadedMCPTools {
  return { tools: [], errors, connectedServers: [], exaApiKeys: [], manager };
}

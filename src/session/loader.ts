import { type ErrorInfo, isAbortError, toHotplugError } from "../model/errors.ts";
import { hostLogger } from "../model/log.ts";
import type { Plan } from "../model/plan.ts";
import type { Tool } from "../model/tool.ts";
import { loadAllMCPConfigs, type LoadOptions } from "../plan/discover.ts";
import { ProgramHooks } from "../interceptors/program_hooks.ts";
import { PolicyGate } from "../plan/policy_gate.ts";
import { hotplugFolders } from "../platform/folders.ts";
import { currentMachine } from "../platform/machine.ts";
import { machineClock } from "../runtime/clock.ts";
import { MCPManager } from "../runtime/manager.ts";
import type { ManagerCompanion, MCPManagerOptions } from "../runtime/manager_options.ts";
import { type ConfigLook, ConfigReader } from "./config_reader.ts";
import { ConfigWatch, type ReconcileReport } from "./config_watch.ts";

/** What {@linkcode discoverAndLoadMCPTools} takes. */
export interface LoadMCPToolsOptions
  extends
    Omit<LoadOptions, "cwd">,
    Omit<MCPManagerOptions, "discover" | "mayRun" | "workspacePath" | "machine" | "folders"> {
  /** `false`: nothing is discovered and nothing starts. Default `true`. */
  readonly enableMCP?: boolean;
  /**
   * Whether an edited config takes effect by itself as long as the manager lives. Default: what
   * the settings say, else `false`.
   */
  readonly watch?: boolean;
  /** Called when a watched change has taken effect, or a watched file cannot be used any more. */
  readonly onReconciled?: (report: ReconcileReport) => void;
}

/** A tool, and where it comes from. */
export interface LoadedMCPTool {
  /** `mcp:<server> via <source>`. */
  readonly path: string;
  /** The tool. */
  readonly tool: Tool;
}

/** Something that gave no tools, and why. */
export interface LoadError {
  /** `mcp:<server>`, the path of a file, or `.mcp.json` when discovery as a whole failed. */
  readonly path: string;
  /** Why. */
  readonly error: ErrorInfo;
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
  const log = hostLogger(options.log);
  const machine = options.machine ?? currentMachine();
  const folders = options.folders ?? hotplugFolders(machine);
  const load = { ...options, ...(cwd === undefined ? {} : { cwd }), machine, folders };
  const gate = new PolicyGate(machine, options.policy);
  const { clock = machineClock } = options;
  const programs = new ProgramHooks({ machine, folders, log });
  const onLoaded = ({ hooks }: LoadedConfigs): void => programs.adopt(hooks ?? NO_HOOKS);
  const reader = new ConfigReader({ load, now: () => clock.ticks(), onLoaded });
  const managerFor = (
    workspacePath: string,
    companions: readonly ManagerCompanion[] = [],
  ): MCPManager =>
    new MCPManager({
      ...options,
      companions: [...options.companions ?? [], ...companions],
      mayRun: (candidate) => gate.check(candidate),
      hooks: () => [...programs.current(), ...givenHooks(options.hooks)],
      machine,
      folders,
      workspacePath,
      discover: async ({ signal }) => {
        const loaded = await loadAllMCPConfigs({ ...load, ...(signal ? { signal } : {}) });
        onLoaded(loaded);
        return loaded;
      },
    });
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
  const manager = managerFor(plan.workspacePath, watch);
  const connected = await manager.connectServers(configs, sources, {
    plan,
    signal: options.signal,
  });
  const errors = [...planErrors(plan), ...serverErrors(connected.errors)];
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

/** Files that could not be used, and definitions that are invalid. */
function planErrors(plan: Plan): readonly LoadError[] {
  const files = plan.sources.flatMap(({ path, error }) => error === null ? [] : [{ path, error }]);
  const definitions = plan.servers.flatMap(({ name, verdict }) =>
    verdict.state === "error" && verdict.reason !== null
      ? [{ path: `mcp:${name}`, error: verdict.reason }]
      : []
  );
  return [...files, ...definitions];
}

function serverErrors(errors: ReadonlyMap<string, ErrorInfo>): readonly LoadError[] {
  return [...errors].map(([name, error]) => ({ path: `mcp:${name}`, error }));
}

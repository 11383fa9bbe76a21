import type { Logger } from "../model/log.ts";
import { hostLogger } from "../model/log.ts";
import type { HotplugFolders, Machine } from "../model/machine.ts";
import { ProgramHooks } from "../interceptors/program_hooks.ts";
import { NO_HOOKS } from "../model/hook_program.ts";
import type { LoadedConfigs } from "../model/plan.ts";
import { loadAllMCPConfigs } from "../plan/discover.ts";
import { PolicyGate } from "../plan/policy_gate.ts";
import { hotplugFolders } from "../platform/folders.ts";
import { currentMachine } from "../platform/machine.ts";
import { type Clock, machineClock } from "../runtime/clock.ts";
import { MCPManager } from "../runtime/manager.ts";
import type { ManagerCompanion, MCPManagerOptions } from "../runtime/manager_options.ts";
import { ConfigReader } from "./config_reader.ts";
import type { LoadMCPToolsOptions } from "./load_options.ts";

/** What reads configs and runs what they declare. */
export interface Assembly {
  /** The machine. */
  readonly machine: Machine;
  /** Hotplug's own folders. */
  readonly folders: HotplugFolders;
  /** Where oddities are written. */
  readonly log: Logger;
  /** Time. */
  readonly clock: Clock;
  /** Reads the configs. */
  readonly reader: ConfigReader;
  /** A manager for a workspace, which asks the machine's policy about each server. */
  manager(workspacePath: string, more?: ManagerExtras): MCPManager;
}

/** What a manager gets beyond the options of its host. */
export interface ManagerExtras
  extends Pick<MCPManagerOptions, "onServer" | "onToolsChanged" | "naming"> {
  /** What is started and stopped with the servers, after the host's own. */
  readonly companions?: readonly ManagerCompanion[];
}

/** Puts together what the options describe. Nothing is read and nothing starts. */
export function assembly(cwd: string | undefined, options: LoadMCPToolsOptions): Assembly {
  const machine = options.machine ?? currentMachine();
  const folders = options.folders ?? hotplugFolders(machine);
  // The signal is that of the start: what is read later has its own.
  const own = { machine, folders, signal: undefined };
  const load = { ...options, ...(cwd === undefined ? {} : { cwd }), ...own };
  const gate = new PolicyGate(machine, options.policy);
  const { clock = machineClock, hooks: given = [] } = options;
  const log = hostLogger(options.log);
  const programs = new ProgramHooks({ machine, folders, log });
  const onLoaded = ({ hooks = NO_HOOKS }: LoadedConfigs): void => programs.adopt(hooks);
  return {
    machine,
    folders,
    log,
    clock,
    reader: new ConfigReader({ load, now: () => clock.ticks(), onLoaded }),
    manager: (workspacePath, { companions = [], ...more } = {}) =>
      new MCPManager({
        ...options,
        ...more,
        companions: [...options.companions ?? [], ...companions],
        mayRun: (candidate) => gate.check(candidate),
        hooks: () => [...programs.current(), ...typeof given === "function" ? given() : given],
        machine,
        folders,
        workspacePath,
        discover: async ({ signal }) => {
          const loaded = await loadAllMCPConfigs({ ...load, ...(signal ? { signal } : {}) });
          onLoaded(loaded);
          return loaded;
        },
      }),
  };
}

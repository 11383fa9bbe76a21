import { type Logger, silentLogger } from "../model/log.ts";
import type { HotplugFolders, Machine } from "../model/machine.ts";
import type { LoadedConfigs } from "../model/plan.ts";
import { hotplugFolders } from "../platform/folders.ts";
import { lineLogger } from "../platform/logger.ts";
import { loadAllMCPConfigs, type LoadOptions } from "../plan/discover.ts";
import { painter } from "./colour.ts";
import type { CliContext } from "./context.ts";
import type { DiscoveryFlags } from "./flags.ts";
import type { Output } from "./output.ts";
import { harmlessJson } from "./json_output.ts";
import { homeFolder, machineIn } from "./named_folders.ts";

/** What a command knows once the configuration is read. */
export interface Discovered {
  /** The machine, with the folder that `--cwd` names. */
  readonly machine: Machine;
  /** Hotplug's own folders. */
  readonly folders: HotplugFolders;
  /** What is defined, and what may run. */
  readonly loaded: LoadedConfigs;
  /** Where oddities are written: stderr with `--verbose`, else nowhere. */
  readonly log: Logger;
  /** What `--trace` says: a file, or `-`; absent without it. */
  readonly trace?: string | undefined;
}

/**
 * Reads the configuration as the flags say.
 * @param lines Whether every row needs the line of its definition, which costs some time.
 * @throws {HotplugError} `usage` for a bad `--cwd`; `discovery-failed` when nothing can be read.
 */
export async function discover(
  context: CliContext,
  flags: DiscoveryFlags,
  lines = false,
): Promise<Discovered> {
  const options = await loadOptions(context, flags);
  const { machine, folders } = options;
  const log = flags.verbose === true
    ? lineLogger((line) => context.output.stderr.write(`${harmlessJson(line)}\n`), "debug")
    : silentLogger;
  const loaded = await loadAllMCPConfigs({ ...options, lines, signal: context.signal });
  return { machine, folders, loaded, log, trace: flags.trace };
}

/** The options of a discovery with what every command fills in. */
export interface CommandLoadOptions extends Omit<LoadOptions, "cwd"> {
  /** The machine, with the folder that `--cwd` names. */
  readonly machine: Machine;
  /** Hotplug's own folders. */
  readonly folders: HotplugFolders;
}

/**
 * How the configuration is to be read, as the flags say.
 * @throws {HotplugError} `usage` for a bad `--cwd` or `--home`.
 */
export async function loadOptions(
  context: CliContext,
  flags: DiscoveryFlags,
): Promise<CommandLoadOptions> {
  const machine = await machineIn(context, flags.cwd);
  if (machine.env["HOTPLUG_TRUST"] === "all") sayTrustAll(context.output);
  const home = homeFolder(machine, flags.home);
  return {
    machine,
    folders: hotplugFolders(machine),
    ...(home === undefined ? {} : { home }),
    ...(flags.noProject === true ? { enableProjectConfig: false } : {}),
    ...(flags.exa === true ? { filterExa: false } : {}),
    ...(flags.trust === true ? { trust: "all" } : {}),
  };
}

/** Says that the environment approves everything; it is easily forgotten. */
function sayTrustAll({ stderr }: Output): void {
  const paint = painter(stderr.colour);
  stderr.write(
    `${paint("yellow", "note: HOTPLUG_TRUST=all: everything runs without approval")}\n`,
  );
}

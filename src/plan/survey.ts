import { resolve } from "node:path";
import { toHotplugError } from "../model/errors.ts";
import type { HotplugFolders, Machine } from "../model/machine.ts";
import type { SourceReport } from "../model/source.ts";
import { FolderIndex } from "../platform/folder_index.ts";
import { hotplugFolders } from "../platform/folders.ts";
import { machineOfHome } from "./other_home.ts";
import { currentMachine } from "../platform/machine.ts";
import { findWorkspace } from "../platform/workspace.ts";
import type { TextFile } from "../platform/text_file.ts";
import { cachedReader } from "../sources/cached_reader.ts";
import { heldReader, toldReader } from "../sources/held_reader.ts";
import { readSources } from "../sources/read_all.ts";
import { SOURCES } from "../sources/registry.ts";
import { reporter } from "../sources/reporter.ts";
import type { Source, SourceContext } from "../sources/source.ts";
import { storePath, workspaceConfigPath } from "../sources/store.ts";
import type { TrustMode } from "./approval.ts";
import { type Rules, screen } from "./judge.ts";
import type { PlanInput } from "./make_plan.ts";
import { discoverHooks } from "./discover_hooks.ts";
import { type HookFiles, readHookFiles } from "./hook_files.ts";
import { gatherFacts } from "./plan_facts.ts";
import { type PolicyPlace, policyPlace } from "./policy_file.ts";
import { absentPolicy, loadPolicy } from "./policy_loading.ts";
import { chosenSources, type PlanSettings, readSettings } from "./settings.ts";
import { NO_TRUST, readTrust, trustFile, type WorkspaceTrust } from "./trust_store.ts";

/** What discovery is asked for. */
export interface LoadOptions {
  /** The folder to start from. Default: the machine's current folder. */
  readonly cwd?: string | undefined;
  /** The machine. Default: this one. */
  readonly machine?: Machine | undefined;
  /**
   * Another home folder, absolute, whose agents' files are read in place of the user's: that of
   * another user, or of another system of this machine, as WSL has them.
   */
  readonly home?: string | undefined;
  /** Hotplug's own folders. Default: those of the machine. */
  readonly folders?: HotplugFolders | undefined;
  /** `false` leaves out what the repository declares. Default: the settings', else `true`. */
  readonly enableProjectConfig?: boolean | undefined;
  /** `false` keeps servers of Exa. Default: the settings', else `true`. */
  readonly filterExa?: boolean | undefined;
  /** Who approves. Default `"store"`, or `"all"` when the variable `HOTPLUG_TRUST` is `all`. */
  readonly trust?: TrustMode | undefined;
  /** Further sources of the host. */
  readonly extraSources?: readonly Source[] | undefined;
  /**
   * `false` reads none of the files in which this machine and this workspace declare servers: only
   * `extraSources` count. Policy and approvals hold all the same. Default `true`.
   */
  readonly localSources?: boolean | undefined;
  /**
   * Where the policy that whoever manages the machine set is read. Default: the machine's own
   * place. No variable, flag or setting says otherwise.
   */
  readonly policy?: PolicyPlace | undefined;
  /**
   * Texts that stand for files which cannot be used at the moment, by absolute path. Default: none.
   * The file of approvals is always read as it is.
   */
  readonly held?: ReadonlyMap<string, string> | undefined;
  /** Told of each file that was opened, or that was looked for to take a value out of it. */
  readonly onRead?: ((file: TextFile) => void) | undefined;
  /** Whether every definition needs its line. Default `false`: only invalid ones have theirs. */
  readonly lines?: boolean | undefined;
  /** Aborting it rejects with `aborted`. */
  readonly signal?: AbortSignal | undefined;
}

/** All that was found out about a machine and a workspace. */
export interface Survey {
  /** The machine, its current folder being where discovery started. */
  readonly machine: Machine;
  /** Hotplug's own folders. */
  readonly folders: HotplugFolders;
  /** What the sources were read with. */
  readonly context: SourceContext;
  /** What this user approved here. */
  readonly trust: WorkspaceTrust;
  /** What the plan is made from. */
  readonly input: PlanInput;
  /** What the user set for every workspace. */
  readonly settings: PlanSettings;
  /** The hooks of the user and of the repository. */
  readonly hooks: HookFiles;
}

const NOTHING_HELD: ReadonlyMap<string, string> = new Map();

/**
 * Reads everything that a plan depends on. Starts nothing but the `discover` hooks that count here,
 * and evaluates nothing unapproved.
 */
export async function survey(options: LoadOptions = {}): Promise<Survey> {
  const { signal } = options;
  signal?.throwIfAborted();
  const here = options.machine ?? currentMachine();
  const machine: Machine = { ...here, cwd: resolve(here.cwd, options.cwd ?? "") };
  const folders = options.folders ?? hotplugFolders(machine);
  const workspacePath = findWorkspace(machine.cwd, machine.home);
  const held = options.held ?? NOTHING_HELD;
  const index = new FolderIndex(options.home ?? machine.home);
  const isAbsent = (path: string): boolean => !held.has(path) && index.isAbsent(path);
  const context: SourceContext = {
    machine: options.home === undefined ? machine : machineOfHome(machine, options.home),
    folders,
    workspacePath,
    readFile: toldReader(cachedReader({ isAbsent }, heldReader(held)), options.onRead),
    isAbsent,
    lines: options.lines ?? false,
  };
  const place = options.policy ?? policyPlace(machine);
  const known = [...SOURCES, ...options.extraSources ?? []];
  const [{ settings, report, document }, { trust, report: trustReport }, policy] = await Promise
    .all([
      readSettings(context, known),
      trustOrReport(folders, workspacePath),
      loadPolicy(place, context.readFile),
    ]);
  const local = options.localSources === false ? [] : SOURCES;
  const chosen = chosenSources(context, local, settings);
  // A list of the user's is about hosts' files; it cannot know what the host brings itself.
  const extra = chosenSources(context, options.extraSources ?? [], {
    ...settings,
    onlySources: null,
  });
  const mode = options.trust ?? (machine.env["HOTPLUG_TRUST"] === "all" ? "all" : "store");
  const enableProjectConfig = options.enableProjectConfig ?? settings.enableProjectConfig;
  const hooks = await readHookFiles(
    { ...context, machine },
    document,
    { mode, trust },
    enableProjectConfig,
  );
  const programs = options.localSources === false ? [] : hooks.set.programs;
  const discovering = discoverHooks(programs, {
    machine,
    folders,
    workspacePath,
    held,
    onRead: options.onRead,
    signal,
  });
  const reading = await readSources(context, [
    ...chosen.sources,
    ...extra.sources,
    ...discovering,
  ]);
  signal?.throwIfAborted();
  const blocked = new Map(policy?.asWritten(reading.definitions));
  const rules: Rules = {
    blocked,
    switches: reading.switches,
    enableProjectConfig,
    filterExa: options.filterExa ?? settings.filterExa,
  };
  // What is off or left out needs no look at the disk; Exa's may hold a key.
  const open = reading.definitions.filter((definition) => {
    const { verdict, exa } = screen(definition, rules);
    return verdict === null || exa;
  });
  const starting = options.home === undefined ? machine : { ...machine, home: options.home };
  const facts = await gatherFacts(open, { ...context, machine: starting, mode, trust });
  for (const [definition, reason] of policy?.asLaunched(facts, machine) ?? []) {
    blocked.set(definition, reason);
  }
  signal?.throwIfAborted();
  const input: PlanInput = {
    workspacePath,
    store: storePath(context),
    workspaceConfig: workspaceConfigPath(context),
    definitions: reading.definitions,
    facts,
    rules,
    sources: [
      ...reading.reports,
      ...chosen.reports,
      ...extra.reports,
      { ...report, warnings: [...report.warnings, ...hooks.settingsWarnings] },
      hooks.report,
      ...(trustReport === null ? [] : [trustReport]),
      policy?.report ?? absentPolicy(place),
    ],
  };
  return { machine, folders, context, trust, input, settings, hooks };
}

/** The approvals; when their file cannot be used nothing is approved, and a report says why. */
async function trustOrReport(
  folders: HotplugFolders,
  workspacePath: string,
): Promise<{ readonly trust: WorkspaceTrust; readonly report: SourceReport | null }> {
  try {
    return { trust: await readTrust(folders, workspacePath), report: null };
  } catch (thrown) {
    const error = toHotplugError(thrown, "config-unreadable").toInfo();
    const state = error.code === "config-malformed" ? "malformed" : "unreadable";
    const reported = reporter({ id: "trust", label: "Approvals" }, trustFile(folders), "user");
    return { trust: NO_TRUST, report: reported({ state, error }) };
  }
}

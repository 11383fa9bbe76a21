import process from "node:process";
import type { HookScope } from "../hosts/host_kind.ts";
import { hookContext } from "../hosts/hook_context.ts";
import { findProgram } from "../hosts/own_program.ts";
import { programVersion } from "../hosts/program_version.ts";
import { type KnownHost, knownHost } from "../hosts/registry.ts";
import { hotplugFolders } from "../platform/folders.ts";
import { factsOf } from "../platform/local_files.ts";
import type { SourceContext } from "../sources/source.ts";
import type { CliContext } from "./context.ts";
import { machineIn } from "./named_folders.ts";
import type { AnswerFlags } from "./flags.ts";

/** Flags of every command below `mcp hooks`. */
export interface HookFlags extends AnswerFlags {
  /** Folder to work in, instead of the current one. */
  readonly cwd?: string | undefined;
}

/** What hooks are decided by, as the flags say. */
export async function contextOfHooks(
  context: CliContext,
  { cwd }: HookFlags,
): Promise<SourceContext> {
  const machine = await machineIn(context, cwd);
  return hookContext(machine, hotplugFolders(machine));
}

/**
 * The kinds of hosts of names, each once.
 * @throws {HotplugError} `usage` for an unknown one.
 */
export function chosenHosts(names: readonly string[]): readonly KnownHost[] {
  return [...new Set(names.map(knownHost))];
}

/** The scope that a flag means for a host: some have a place for a project's hook alone. */
export function scopeOf({ kind }: KnownHost, project: boolean | undefined): HookScope {
  return project === true ? "project" : kind.scopes[0] ?? "user";
}

/**
 * The command line that hooks start.
 * @throws {HotplugError} `edit-refused`, `aborted`.
 */
export async function programOfHooks(
  { machine }: SourceContext,
  { signal }: CliContext,
): Promise<readonly string[]> {
  return await findProgram({
    machine,
    running: { executable: process.execPath, script: process.argv[1] },
    isFile: (path) => factsOf(path)?.isFile() === true,
    isHotplug: async (program) =>
      (await programVersion(program, { machine, signal })).problem === null,
  });
}

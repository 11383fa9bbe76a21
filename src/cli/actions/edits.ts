import type { AddOptions } from "../../edit/add_servers.ts";
import { exportServers } from "../../edit/export_servers.ts";
import { importServers } from "../../edit/import_servers.ts";
import { removeServer } from "../../edit/remove_server.ts";
import { switchServer } from "../../edit/switch_server.ts";
import type { CliContext } from "../context.ts";
import { type EditFlags, printEdit } from "../edit_print.ts";
import { usageError } from "../run_action.ts";
import { type TargetFlags, targetOf } from "./add.ts";

/** Flags of `mcp remove`. */
export interface RemoveFlags extends EditFlags, TargetFlags {}

/** Flags of `mcp enable` and `mcp disable`. */
export interface SwitchFlags extends EditFlags {
  /** By the switch of the file that defines it. */
  readonly inPlace?: boolean | undefined;
}

/** Flags of `mcp import`. */
export interface ImportFlags extends EditFlags, TargetFlags {
  /** Enable them in this workspace, too. */
  readonly enable?: boolean | undefined;
  /** Replace other entries of the names. */
  readonly replace?: boolean | undefined;
}

/** Flags of `mcp export`. */
export interface ExportFlags extends EditFlags {
  /** The agent. */
  readonly to: string;
  /** Whose file of the agent. */
  readonly scope?: "user" | "project" | undefined;
  /** Replace other entries of the names. */
  readonly replace?: boolean | undefined;
}

/** `mcp remove`: takes a definition out of the file in which it stands. */
export async function remove(
  context: CliContext,
  flags: RemoveFlags,
  [name = ""]: readonly string[],
): Promise<number> {
  const named = flags.scope !== undefined || flags.host !== undefined;
  const answer = await removeServer(name, {
    ...await given(context, flags),
    target: named ? targetOf(flags) : undefined,
  });
  return await printEdit(context, flags, answer);
}

/** `mcp enable`: switches a server on. */
export async function enable(
  context: CliContext,
  flags: SwitchFlags,
  [name = ""]: readonly string[],
): Promise<number> {
  return await switched(context, flags, name, true);
}

/** `mcp disable`: switches a server off. */
export async function disable(
  context: CliContext,
  flags: SwitchFlags,
  [name = ""]: readonly string[],
): Promise<number> {
  return await switched(context, flags, name, false);
}

async function switched(
  context: CliContext,
  flags: SwitchFlags,
  name: string,
  on: boolean,
): Promise<number> {
  const options = { ...await given(context, flags), inPlace: flags.inPlace };
  return await printEdit(context, flags, await switchServer(name, on, options));
}

/** `mcp import`: copies an agent's servers to the store. */
export async function importFrom(
  context: CliContext,
  flags: ImportFlags,
  [agent = "", ...names]: readonly string[],
): Promise<number> {
  const answer = await importServers(agent, names, {
    ...await given(context, flags),
    target: targetOf(flags),
    enable: flags.enable,
    replace: flags.replace,
  });
  return await printCopy(
    context,
    flags,
    answer,
    `Cannot import from ${JSON.stringify(agent)}: it defines no server here`,
  );
}

/** `mcp export`: writes servers into an agent's file. */
export async function exportTo(
  context: CliContext,
  flags: ExportFlags,
  names: readonly string[],
): Promise<number> {
  const { to, scope, replace } = flags;
  const answer = await exportServers(to, names, {
    ...await given(context, flags),
    scope,
    replace,
  });
  const nothing = `Cannot export to ${JSON.stringify(to)}: no other agent's server runs here`;
  return await printCopy(context, flags, answer, nothing);
}

async function printCopy(
  context: CliContext,
  flags: EditFlags,
  answer: Awaited<ReturnType<typeof importServers>>,
  nothing: string,
): Promise<number> {
  if (answer.servers.length === 0) throw usageError(nothing, "To see what there is: mcp sources");
  return await printEdit(context, flags, answer);
}

async function given(
  context: CliContext,
  flags: EditFlags,
): Promise<Pick<AddOptions, "machine" | "signal" | "dryRun">> {
  return { machine: await context.machine(), signal: context.signal, dryRun: flags.dryRun };
}

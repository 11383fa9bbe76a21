import type { HookChange, HookFile } from "../../hosts/host_kind.ts";
import { installHook } from "../../hosts/install_hook.ts";
import { isHostFound } from "../../hosts/inspect_hook.ts";
import { KNOWN_HOSTS, type KnownHost } from "../../hosts/registry.ts";
import { uninstallHook } from "../../hosts/uninstall_hook.ts";
import { VERSION } from "../../model/version.ts";
import type { SourceContext } from "../../sources/source.ts";
import { painter } from "../colour.ts";
import type { CliContext } from "../context.ts";
import { SCHEMA_VERSION } from "../documents.ts";
import {
  chosenHosts,
  contextOfHooks,
  type HookFlags,
  programOfHooks,
  scopeOf,
} from "../hook_choice.ts";
import { changeLines } from "../hooks_change_text.ts";
import type { ChangedHook, HooksEditDocument } from "../hooks_documents.ts";
import { jsonText } from "../json_output.ts";
import { usageError } from "../run_action.ts";

/** Flags of `mcp hooks uninstall`. */
export interface UninstallFlags extends HookFlags {
  /** In this project alone. */
  readonly project?: boolean | undefined;
  /** Replace or remove what the user changed. */
  readonly force?: boolean | undefined;
  /** Only show what would be written. */
  readonly dryRun?: boolean | undefined;
}

/** Flags of `mcp hooks install`. */
export type InstallFlags = UninstallFlags;

/** `mcp hooks install`: writes the hooks of the hosts that are named. */
export async function install(
  context: CliContext,
  flags: InstallFlags,
  names: readonly string[],
): Promise<number> {
  const place = await contextOfHooks(context, flags);
  if (names.length === 0) throw noKind("install", place);
  const hosts = chosenHosts(names);
  const program = await programOfHooks(place, context);
  const changes: HookChange[] = [];
  for (const host of hosts) {
    changes.push(
      await installHook(host, {
        context: place,
        scope: scopeOf(host, flags.project),
        program,
        version: VERSION,
        force: flags.force,
        dryRun: flags.dryRun,
        signal: context.signal,
      }),
    );
  }
  return await print(context, flags, { place, hosts, changes, program });
}

/** `mcp hooks uninstall`: removes the hooks of the hosts that are named. */
export async function uninstall(
  context: CliContext,
  flags: UninstallFlags,
  names: readonly string[],
): Promise<number> {
  const place = await contextOfHooks(context, flags);
  if (names.length === 0) throw noKind("uninstall", place);
  const hosts = chosenHosts(names);
  const changes: HookChange[] = [];
  for (const host of hosts) {
    changes.push(
      await uninstallHook(host, {
        context: place,
        scope: scopeOf(host, flags.project),
        force: flags.force,
        dryRun: flags.dryRun,
        signal: context.signal,
      }),
    );
  }
  return await print(context, flags, { place, hosts, changes, program: null });
}

/** What was done, and for whom. */
interface Done {
  readonly place: SourceContext;
  readonly hosts: readonly KnownHost[];
  readonly changes: readonly HookChange[];
  readonly program: readonly string[] | null;
}

/** Prints what was done. @returns The exit code: 1 when a hook was refused, 2 for a wrong word. */
async function print(
  { output: { stdout } }: CliContext,
  { json, dryRun = false }: UninstallFlags,
  { place, hosts, changes, program }: Done,
): Promise<number> {
  const shown = await Promise.all(changes.map(async (change, index): Promise<ChangedHook> => {
    const next = hosts[index]?.kind.next ?? null;
    const diffs = dryRun ? await Promise.all(change.files.map(diffOf)) : [];
    return {
      ...change,
      files: change.files.map(({ path, before, after }, file) => ({
        path,
        created: before === null,
        removed: after === null,
        diff: diffs[file] ?? null,
      })),
      next: program === null || change.error !== null ? null : next,
    };
  }));
  if (json === true) {
    const document: HooksEditDocument = {
      schemaVersion: SCHEMA_VERSION,
      dryRun,
      program,
      hooks: shown,
    };
    stdout.write(jsonText(document));
  } else {
    const lines = shown.flatMap((change, index) =>
      changeLines(change, hosts[index], {
        dryRun,
        home: place.machine.home,
        workspacePath: place.workspacePath,
        paint: painter(stdout.colour),
      })
    );
    const nothing = dryRun ? ["", "Nothing was written (--dry-run)."] : [];
    stdout.write(`${[...lines, ...nothing].join("\n")}\n`);
  }
  const errors = changes.flatMap(({ error }) => error ?? []);
  if (errors.length === 0) return 0;
  return errors.every(({ code }) => code === "usage") ? 2 : 1;
}

/** What changed in a file; `null` for a script of ours, of which there is a command to read it. */
async function diffOf({ path, before, after, isOwn }: HookFile): Promise<string | null> {
  if (isOwn && !path.endsWith(".json")) return null;
  const { maskedDiff } = await import("../../edit/masked_diff.ts");
  return await maskedDiff({ path, before, after: after ?? "" });
}

/** Which hosts could be meant when none is named. */
function noKind(action: "install" | "uninstall", place: SourceContext): Error {
  const found = KNOWN_HOSTS.filter((host) => isHostFound(host, place)).map(({ kind }) => kind.id);
  const [first = "claude-code"] = found;
  return usageError(
    `Cannot ${action} a hook: no host is named`,
    found.length === 0
      ? `Name one, such as: mcp hooks ${action} ${first}`
      : `In use here: ${found.join(", ")}. For example: mcp hooks ${action} ${first}`,
  );
}

import { factsOf } from "../platform/local_files.ts";
import { hookKey } from "./hook_context.ts";
import { type HookRecord, keepRecord, readRecords, recordOf } from "./hook_records.ts";
import type { HookChange, HookFile } from "./host_kind.ts";
import { type HookOptions, partOptions, refused, requireScope } from "./hook_options.ts";
import { foldersWithin, removeEmpty } from "./made_folders.ts";
import { isOfHotplug, type PartOptions, removeOwnFile } from "./own_file.ts";
import type { KnownHost } from "./registry.ts";
import { removeEntry } from "./remove_entry.ts";
import { removeRecorded } from "./remove_recorded.ts";

/**
 * Removes the hook of one kind of host. A file of the host's that nobody else changed since becomes
 * what it was before, byte for byte; of any other our entry alone goes. Folders that were made for
 * the hook go when they are empty.
 *
 * @returns What was done; a refusal is told, not thrown.
 * @throws {HotplugError} `aborted`; `write-failed` when what was done cannot be remembered.
 */
export async function uninstallHook(host: KnownHost, options: HookOptions): Promise<HookChange> {
  const { context, signal, dryRun = false } = options;
  const { kind } = host;
  const scope = options.scope ?? kind.scopes[0] ?? "user";
  const key = hookKey(kind.id, scope, context);
  const record = recordOf(readRecords(context.folders), key);
  try {
    requireScope(host, scope);
    const how = partOptions(options, scope);
    const known = record ?? { ...key, version: "", program: [], files: [], entries: [] };
    // Nothing is removed as long as any part would be refused.
    const all = async (part: PartOptions): Promise<readonly HookFile[]> => [
      ...await removeRecorded(known, part),
      ...await removeOthers(host, known, options, part),
    ];
    const tried = await all({ ...how, dryRun: true });
    const files = dryRun ? tried : await all(how);
    if (!dryRun && record !== null) {
      const left = [...record.entries, ...record.files].flatMap(({ folders }) => folders)
        .filter((folder) => factsOf(folder) !== null);
      await keepRecord(context.folders, key, null, { left, signal });
    }
    return {
      kind: kind.id,
      scope,
      done: files.length === 0 ? "absent" : "removed",
      files,
      warnings: [],
      error: null,
    };
  } catch (thrown) {
    return refused(host, scope, thrown);
  }
}

/** Removes what stands where a hook would, and was not remembered. */
async function removeOthers(
  { kind }: KnownHost,
  record: HookRecord,
  { context }: HookOptions,
  options: PartOptions,
): Promise<readonly HookFile[]> {
  const { scope } = record;
  const known = new Set([...record.files, ...record.entries].map(({ path }) => path));
  const removed: (HookFile | null)[] = [];
  // What it starts does not matter here; a bare name is a command line that every host can write.
  for (const part of kind.parts({ context, scope, program: ["mcp"], version: "0" })) {
    if (part.what === "file") {
      if (known.has(part.path) || !(options.force || isOfHotplug(part.path))) continue;
      removed.push(await removeOwnFile(part.path, null, options));
      const folders = part.folder === null ? [] : foldersWithin(part.path, part.folder);
      if (!options.dryRun) await removeEmpty(folders);
    } else if (!known.has(part.target.path)) {
      const { path, key, format } = part.target;
      const place = { path, key, list: format.list ?? null };
      removed.push(await removeEntry(kind.id, place, null, options));
    }
  }
  return removed.filter((file) => file !== null);
}

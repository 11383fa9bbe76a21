import { hookKey } from "./hook_context.ts";
import { type HookOptions, partOptions, refused, requireScope } from "./hook_options.ts";
import {
  type EntryRecord,
  type FileRecord,
  type HookRecord,
  keepRecord,
  readRecords,
  recordOf,
} from "./hook_records.ts";
import type { HookChange, HookFile, HookPart } from "./host_kind.ts";
import { type PartOptions, putOwnFile } from "./own_file.ts";
import { putEntry } from "./put_entry.ts";
import type { KnownHost } from "./registry.ts";
import { removeRecorded } from "./remove_recorded.ts";

/** What a hook is written with. */
export interface InstallOptions extends HookOptions {
  /** Command line that starts Hotplug, the program first and absolute. */
  readonly program: readonly string[];
  /** Version of Hotplug. */
  readonly version: string;
}

/**
 * Installs the hook of one kind of host; what is there already and right stays untouched. Either
 * all of its parts are written or, when one of them is refused, none.
 *
 * @returns What was done; a refusal is told, not thrown.
 * @throws {HotplugError} `aborted`; `write-failed` when what was done cannot be remembered.
 */
export async function installHook(host: KnownHost, options: InstallOptions): Promise<HookChange> {
  const { context, program, version, signal, dryRun = false } = options;
  const { kind } = host;
  const scope = options.scope ?? kind.scopes[0] ?? "user";
  const key = hookKey(kind.id, scope, context);
  const record = recordOf(readRecords(context.folders), key);
  try {
    requireScope(host, scope);
    const parts = kind.parts({ context, scope, program, version });
    const how = partOptions(options, scope);
    // Nothing is written as long as any part would be refused.
    const tried = await putAll(parts, record, { ...how, dryRun: true });
    const put = dryRun ? tried : await putAll(parts, record, how);
    const next: HookRecord = { ...key, version, program, files: put.files, entries: put.entries };
    const moved = record === null ? [] : await removeRecorded(without(record, parts), how);
    if (!dryRun) await keepRecord(context.folders, key, next, { signal });
    const files = [...put.changed, ...moved];
    return {
      kind: kind.id,
      scope,
      done: files.length === 0
        ? "unchanged"
        : record === null && put.isNew
        ? "installed"
        : "updated",
      files,
      warnings: [...put.warnings, ...(scope === "project" ? [pathIsHere(kind.id)] : [])],
      error: null,
    };
  } catch (thrown) {
    return refused(host, scope, thrown);
  }
}

/** What all parts came to. */
interface Put {
  readonly changed: readonly HookFile[];
  readonly files: readonly FileRecord[];
  readonly entries: readonly EntryRecord[];
  readonly warnings: readonly string[];
  readonly isNew: boolean;
}

async function putAll(
  parts: readonly HookPart[],
  record: HookRecord | null,
  options: PartOptions,
): Promise<Put> {
  const all: HookFile[] = [];
  const files: FileRecord[] = [];
  const entries: EntryRecord[] = [];
  const warnings: string[] = [];
  let isNew = true;
  for (const part of parts) {
    if (part.what === "file") {
      const known = record?.files.find(({ path }) => path === part.path) ?? null;
      const put = await putOwnFile(part, known, options);
      all.push(put.file);
      files.push(put.record);
      isNew &&= put.file.before === null;
      if (put.kept !== null) warnings.push(`What stood there is kept in "${put.kept}"`);
    } else {
      const known = record?.entries.find(({ path }) => path === part.target.path) ?? null;
      const put = await putEntry(part, known, options);
      all.push(put.file);
      entries.push(put.record);
      isNew &&= put.isNew;
      warnings.push(...put.warnings);
    }
  }
  const changed = all.filter(({ before, after }) => before !== after);
  return { changed, files, entries, warnings, isNew };
}

/** What is remembered beyond the parts: a host may keep its servers in another file now. */
function without(record: HookRecord, parts: readonly HookPart[]): HookRecord {
  const paths = new Set(parts.map((part) => part.what === "file" ? part.path : part.target.path));
  const isOther = ({ path }: { readonly path: string }): boolean => !paths.has(path);
  return {
    ...record,
    files: record.files.filter(isOther),
    entries: record.entries.filter(isOther),
  };
}

function pathIsHere(kind: string): string {
  return "It names Hotplug by its path on this machine; whoever else uses the project runs: " +
    `mcp hooks install ${kind} --project`;
}

import type { HookRecord } from "./hook_records.ts";
import type { HookFile } from "./host_kind.ts";
import { removeEmpty } from "./made_folders.ts";
import { type PartOptions, removeOwnFile } from "./own_file.ts";
import { removeEntry } from "./remove_entry.ts";

/**
 * Removes all that is remembered of a hook.
 *
 * @returns The files that changed or are gone.
 * @throws {HotplugError} What `removeEntry` and `removeOwnFile` throw.
 */
export async function removeRecorded(
  { kind, files, entries }: HookRecord,
  options: PartOptions,
): Promise<readonly HookFile[]> {
  const removed: (HookFile | null)[] = [];
  for (const entry of entries) removed.push(await removeEntry(kind, entry, entry, options));
  for (const file of files) removed.push(await removeOwnFile(file.path, file, options));
  if (!options.dryRun) await removeEmpty([...entries, ...files].flatMap(({ folders }) => folders));
  return removed.filter((file) => file !== null);
}

import { isDeepStrictEqual } from "node:util";
import { entriesIn } from "../edit/file_entries.ts";
import { type EditedFile, runEdit, type ValueChange } from "../edit/file_edit.ts";
import { applyPatches } from "../formats/text_patch.ts";
import { HotplugError } from "../model/errors.ts";
import type { JsonObject } from "../model/json.ts";
import { editFile } from "../platform/edited_file.ts";
import { emptied, valueAtKeys } from "./changed_values.ts";
import { servedKind } from "../definitions/served_host.ts";
import { ENTRY_NAME } from "./gateway_words.ts";
import { hashOf } from "./hook_header.ts";
import type { EntryRecord } from "./hook_records.ts";
import type { HookFile } from "./host_kind.ts";
import { editOptions, type PartOptions, removeFile } from "./own_file.ts";

/** A file without any setting; some hosts write the address of their schema into each of theirs. */
const HOLDS_NOTHING = /^\s*(?:\{\s*(?:"\$schema"\s*:\s*"[^"]*"\s*,?\s*)?\})?\s*$/;

/** Where an entry stands. */
export type EntryPlace = Pick<EntryRecord, "path" | "key" | "list">;

/**
 * Takes our entry out of a host's file. When nobody else changed the file since, it becomes what it
 * was before, byte for byte; else the entry alone goes, and the settings that still are as we set
 * them become what they were.
 *
 * @param kind Id of the kind of host.
 * @returns The file before and after; `null` when there is nothing of ours.
 * @throws {HotplugError} `edit-refused` when the entry is another one; what `runEdit` throws.
 */
export async function removeEntry(
  kind: string,
  place: EntryPlace,
  record: EntryRecord | null,
  options: PartOptions,
): Promise<HookFile | null> {
  const exact = record === null ? null : await restored(record, options);
  const edited = exact ?? await takenOut(kind, place, record, options);
  const { path, before, after } = edited;
  if (before === null || before === after) return null;
  const isGone = record?.made === true && HOLDS_NOTHING.test(after);
  if (isGone && !options.dryRun) await removeFile(path);
  return { path, before, after: isGone ? null : after, isOwn: false };
}

/** The text from before the first writing, put back; `null` when the file is another one since. */
async function restored(
  { path, hash, undo }: EntryRecord,
  options: PartOptions,
): Promise<EditedFile | null> {
  if (undo.length === 0) return null;
  let isExact = false;
  const edited = await editFile(path, (text) => {
    isExact = text !== null && hashOf(text) === hash;
    return isExact ? undo.reduce(applyPatches, text ?? "") : text ?? "";
  }, editOptions(path, options));
  return isExact ? { path, ...edited } : null;
}

/** The file without the entry. */
async function takenOut(
  kind: string,
  { path, key, list }: EntryPlace,
  record: EntryRecord | null,
  options: PartOptions,
): Promise<EditedFile> {
  const format = list === null ? {} : { list };
  return await runEdit({
    path,
    project: options.project,
    changes: (root) => {
      const entry = entriesIn(root, { path, key, format }).find(ENTRY_NAME);
      const before = record?.entry.before;
      if (entry !== null && servedKind(entry.value) !== kind && !options.force) {
        // Put back already.
        if (before !== undefined && isDeepStrictEqual(entry.value, before)) return [];
        throw new HotplugError(
          "edit-refused",
          `Cannot change "${path}": its entry "${ENTRY_NAME}" is another one`,
          { hint: '"--force" takes it out; or do that by hand' },
        );
      }
      const changes: ValueChange[] = entry === null
        ? []
        : [{ path: [...key, entry.step], value: before }];
      changes.push(...settingsBack(root, record));
      return [...changes, ...emptied(root, changes, record?.containers ?? [])];
    },
  }, editOptions(path, options));
}

/** The settings that still are as we set them. */
function settingsBack(root: JsonObject, record: EntryRecord | null): readonly ValueChange[] {
  return (record?.settings ?? [])
    .filter(({ path, after }) => isDeepStrictEqual(valueAtKeys(root, path), after))
    .map(({ path, before }) => ({ path, value: before }));
}

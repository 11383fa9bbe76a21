import { isDeepStrictEqual } from "node:util";
import { entriesIn } from "../edit/file_entries.ts";
import { runEdit, type ValueChange } from "../edit/file_edit.ts";
import { editText } from "../formats/edit_text.ts";
import { applyPatches, inversePatches, type TextPatch } from "../formats/text_patch.ts";
import { HotplugError } from "../model/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import { textFormatOf } from "../sources/config_document.ts";
import { missingContainers, valueAtKeys } from "./changed_values.ts";
import { entryIn } from "./entry_part.ts";
import { servedKind } from "../definitions/served_host.ts";
import { ENTRY_NAME } from "./gateway_words.ts";
import { hashOf } from "./hook_header.ts";
import type { EntryRecord, ValueRecord } from "./hook_records.ts";
import type { HookFile, HostEntry } from "./host_kind.ts";
import { missingFolders } from "./made_folders.ts";
import { editOptions, type PartOptions } from "./own_file.ts";

/** An entry that was written, or would be. */
export interface PutEntry {
  /** The host's file before and after. */
  readonly file: HookFile;
  /** What is to be remembered of it. */
  readonly record: EntryRecord;
  /** What the user should know. */
  readonly warnings: readonly string[];
  /** Whether there was no entry of the name. */
  readonly isNew: boolean;
}

/**
 * Writes the entry that starts Hotplug into a host's file, with the smallest change of its text,
 * and the settings that go with it.
 *
 * @throws {HotplugError} `edit-refused` when an entry of the name is the user's own or was changed;
 * `config-invalid` when the host has no words for the entry; what `runEdit` throws.
 */
export async function putEntry(
  part: HostEntry,
  record: EntryRecord | null,
  options: PartOptions,
): Promise<PutEntry> {
  const { target } = part;
  const { path } = target;
  const folders = missingFolders(path);
  const raw = { ...entryIn(target, part.config), ...part.extra };
  let planned: Planned = { changes: [], record: null, warnings: [], isNew: false };
  const { before, after } = await runEdit({
    path,
    project: target.project,
    changes: (root) => {
      planned = plan(root, part, raw, record, options.force);
      return planned.changes;
    },
  }, editOptions(path, options));
  const file = { path, before, after, isOwn: false };
  const { changes, warnings, isNew } = planned;
  if (record !== null && changes.length === 0) return { file, record, warnings, isNew };
  const step = await wayBack(path, before ?? "", after, changes);
  return {
    file,
    warnings,
    isNew,
    record: {
      path,
      hash: hashOf(after),
      folders: record?.folders ?? folders,
      made: record?.made ?? before === null,
      key: target.key,
      list: target.format.list ?? null,
      ...planned.record ?? { entry: { after: raw }, settings: [], containers: [] },
      undo: undoOf(step, before ?? "", record),
    },
  };
}

/** The way back to the text before the first writing; empty when others wrote in between. */
function undoOf(
  step: readonly TextPatch[] | null,
  before: string,
  record: EntryRecord | null,
): EntryRecord["undo"] {
  if (step === null || step.length === 0) return [];
  if (record === null) return [step];
  const isWhole = record.undo.length > 0 && hashOf(before) === record.hash;
  return isWhole ? [step, ...record.undo] : [];
}

/** What is to be changed in a file, given what it holds. */
interface Planned {
  readonly changes: readonly ValueChange[];
  readonly record: Pick<EntryRecord, "entry" | "settings" | "containers"> | null;
  readonly warnings: readonly string[];
  readonly isNew: boolean;
}

function plan(
  root: JsonObject,
  { target, settings }: HostEntry,
  raw: JsonObject,
  record: EntryRecord | null,
  force: boolean,
): Planned {
  const there = entriesIn(root, target);
  const wanted = there.written(ENTRY_NAME, raw);
  const old = there.find(ENTRY_NAME);
  const changes: ValueChange[] = [];
  const warnings: string[] = [];
  const holds = isJsonObject(old?.value) && holdsAll(old.value, wanted);
  const isOwn = old !== null && isOurs(old.value, wanted, record);
  if (old !== null && !holds && !isOwn && !force) {
    throw new HotplugError(
      "edit-refused",
      `Cannot write "${target.path}": its entry "${ENTRY_NAME}" ` +
        (record === null ? "is another one" : "was changed since it was written"),
      { hint: '"--force" replaces it; or take it out first' },
    );
  }
  const paths: (readonly string[])[] = [];
  if (old === null && there.isList) {
    changes.push(...there.append([wanted]));
    paths.push([...target.key, ENTRY_NAME]);
  } else if (!holds) {
    changes.push({ path: [...target.key, old?.step ?? ENTRY_NAME], value: wanted });
    paths.push([...target.key, ENTRY_NAME]);
  }
  const kept: ValueRecord[] = [];
  for (const { path, value, overrides = false } of settings) {
    const now = valueAtKeys(root, path);
    const earlier = record?.settings.find((one) => isDeepStrictEqual(one.path, path));
    if (earlier !== undefined) kept.push(earlier);
    if (isDeepStrictEqual(now, value)) continue;
    if (now !== undefined && !overrides) {
      warnings.push(`"${path.join(".")}" of "${target.path}" stays as you set it`);
      continue;
    }
    changes.push({ path, value });
    paths.push(path);
    if (earlier === undefined) {
      kept.push({ path, after: value, ...(now === undefined ? {} : { before: now }) });
    }
  }
  const foreign = old === null || holds || isOwn ? undefined : old.value;
  const first = record?.entry.before ?? foreign;
  return {
    changes,
    warnings,
    isNew: old === null,
    record: {
      entry: {
        after: (holds ? old?.value : undefined) ?? wanted,
        ...(first === undefined ? {} : { before: first }),
      },
      settings: kept,
      containers: [
        ...record?.containers ?? [],
        ...unique(paths.flatMap((path) => missingContainers(root, path))),
      ],
    },
  };
}

/** Whether an entry has all that is wanted; what its user added is no harm. */
function holdsAll(entry: JsonObject, wanted: JsonObject): boolean {
  return Object.entries(wanted).every(([key, value]) => isDeepStrictEqual(entry[key], value));
}

/** Whether an entry is as it was written, or, when nothing is remembered, has nothing beyond it. */
function isOurs(
  entry: JsonValue | undefined,
  wanted: JsonObject,
  record: EntryRecord | null,
): boolean {
  if (record !== null) return isDeepStrictEqual(entry, record.entry.after);
  const kind = servedKind(wanted);
  return kind !== null && servedKind(entry) === kind && isJsonObject(entry) &&
    Object.keys(entry).every((key) => Object.hasOwn(wanted, key));
}

function unique(paths: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return paths.filter((path, index) =>
    paths.findIndex((other) => isDeepStrictEqual(other, path)) === index
  );
}

/** What leads from the text after changes back to the one before; `null` when that is not known. */
async function wayBack(
  path: string,
  before: string,
  after: string,
  changes: readonly ValueChange[],
): Promise<readonly TextPatch[] | null> {
  const texts = changes.map((change) => ({ ...change, path: change.path.map(String) }));
  const edited = await editText(before, textFormatOf(path), texts);
  if (!edited.ok || edited.text !== after) return null;
  const back = inversePatches(before, edited.patches);
  return applyPatches(after, back) === before ? back : null;
}

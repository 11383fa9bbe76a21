import { isDeepStrictEqual } from "node:util";
import { join, sep } from "node:path";
import type { TextPatch } from "../formats/text_patch.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { HotplugFolders } from "../model/machine.ts";
import { updatePrivateFile } from "../platform/private_file.ts";
import { readTextNow } from "../platform/text_file.ts";
import type { HookScope } from "./host_kind.ts";

/** A file of our own that was written. */
export interface FileRecord {
  /** Absolute path. */
  readonly path: string;
  /** SHA-256 of its text. */
  readonly hash: string;
  /** Folders that were made for it, outermost first. */
  readonly folders: readonly string[];
}

/** One value of a host's file that was set. */
export interface ValueRecord {
  /** Keys that lead to it. */
  readonly path: readonly string[];
  /** What stood there; absent when nothing did. */
  readonly before?: JsonValue;
  /** What stands there since. */
  readonly after: JsonValue;
}

/** An entry that was written into a host's file. */
export interface EntryRecord extends FileRecord {
  /** Whether there was no such file. */
  readonly made: boolean;
  /** Where the servers of the file stand. */
  readonly key: readonly string[];
  /** Key of the name, in a file that keeps its servers as a list; `null` in any other. */
  readonly list: string | null;
  /** What stood in the entry's place, and what stands there since. */
  readonly entry: Omit<ValueRecord, "path">;
  /** The settings that were changed, too. */
  readonly settings: readonly ValueRecord[];
  /** Objects that were made for both, outermost first. */
  readonly containers: readonly (readonly string[])[];
  /**
   * What leads back from the text with that hash to the one before the first writing, step by
   * step; empty when others changed the file between two writings.
   */
  readonly undo: readonly (readonly TextPatch[])[];
}

/** What is remembered of one hook, so that its removal leaves everything as it was. */
export interface HookRecord {
  /** Kind of host. */
  readonly kind: string;
  /** Whose sessions it is for. */
  readonly scope: HookScope;
  /** Root of the project; `null` for all of the user's sessions. */
  readonly workspacePath: string | null;
  /** Version of Hotplug that wrote it. */
  readonly version: string;
  /** Command line of Hotplug in it. */
  readonly program: readonly string[];
  /** Its own files. */
  readonly files: readonly FileRecord[];
  /** Its entries in the host's files. */
  readonly entries: readonly EntryRecord[];
}

/** Which hook is meant. */
export type HookKey = Pick<HookRecord, "kind" | "scope" | "workspacePath">;

/** Version of the shape of the file. */
const SCHEMA_VERSION = 1;

/** Path of the file in which hooks are remembered. Pure. */
export function recordsFile({ state }: HotplugFolders): string {
  return join(state, "hooks", "installed.json");
}

/** What is remembered; nothing when the file is absent or damaged, as hooks tell of themselves. */
export function readRecords(folders: HotplugFolders): readonly HookRecord[] {
  const file = readTextNow(recordsFile(folders));
  return file.state === "loaded" ? recordsIn(file.text) : [];
}

/** The record of one hook; `null` when there is none. Pure. */
export function recordOf(records: readonly HookRecord[], key: HookKey): HookRecord | null {
  return records.find((record) => isSame(record, key)) ?? null;
}

/**
 * Remembers a hook in place of what was remembered of it, or forgets it.
 *
 * @param left Folders that were made for what is forgotten and hold something of another hook: they
 * go with that one.
 * @throws {HotplugError} `write-failed`, `aborted`.
 */
export async function keepRecord(
  folders: HotplugFolders,
  key: HookKey,
  record: HookRecord | null,
  { left = [], signal }: {
    readonly left?: readonly string[];
    readonly signal?: AbortSignal | undefined;
  } = {},
): Promise<void> {
  await updatePrivateFile(recordsFile(folders), (text) => {
    const before = recordsIn(text ?? "");
    if (isDeepStrictEqual(recordOf(before, key), record)) return text ?? "";
    const others = before.filter((one) => !isSame(one, key)).map((one) => withFolders(one, left));
    const hooks = record === null ? others : [...others, record];
    return `${JSON.stringify({ schemaVersion: SCHEMA_VERSION, hooks }, null, 2)}\n`;
  }, { signal });
}

/** A hook with those of some folders that one of its files lies in, each once. */
function withFolders(record: HookRecord, folders: readonly string[]): HookRecord {
  const extended = <File extends FileRecord>(file: File): File => ({
    ...file,
    folders: [
      ...folders.filter((folder) =>
        file.path.startsWith(`${folder}${sep}`) && !file.folders.includes(folder)
      ),
      ...file.folders,
    ],
  });
  return {
    ...record,
    files: record.files.map(extended),
    entries: record.entries.map(extended),
  };
}

function isSame(one: HookKey, { kind, scope, workspacePath }: HookKey): boolean {
  return one.kind === kind && one.scope === scope && one.workspacePath === workspacePath;
}

function recordsIn(text: string): readonly HookRecord[] {
  try {
    const root = JSON.parse(text) as JsonValue;
    const hooks = isJsonObject(root) ? root["hooks"] : undefined;
    if (!Array.isArray(hooks)) return [];
    return (hooks as readonly JsonValue[]).filter(isRecord) as unknown as readonly HookRecord[];
  } catch {
    return [];
  }
}

/** Whether a value has the shape of a record, as far as it is relied on. */
function isRecord(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  const { kind, scope, workspacePath, version, program, files, entries } = value;
  const isNamed = typeof kind === "string" && (scope === "user" || scope === "project") &&
    (workspacePath === null || typeof workspacePath === "string") && typeof version === "string";
  return isNamed && isTexts(program) && isListOf(files, isFile) &&
    isListOf(entries, (one) => isFile(one) && isEntry(one));
}

function isFile({ path, hash, folders }: JsonObject): boolean {
  return typeof path === "string" && typeof hash === "string" && isTexts(folders);
}

function isEntry({ made, key, list, entry, settings, containers, undo }: JsonObject): boolean {
  return typeof made === "boolean" && isTexts(key) &&
    (list === null || typeof list === "string") &&
    isJsonObject(entry) && entry["after"] !== undefined &&
    isListOf(settings, ({ path, after }) => isTexts(path) && after !== undefined) &&
    Array.isArray(containers) && (containers as readonly JsonValue[]).every(isTexts) &&
    Array.isArray(undo) &&
    (undo as readonly JsonValue[]).every((step) =>
      isListOf(
        step,
        ({ offset, length, text }) =>
          typeof offset === "number" && typeof length === "number" && typeof text === "string",
      )
    );
}

function isTexts(value: JsonValue | undefined): boolean {
  return Array.isArray(value) &&
    (value as readonly JsonValue[]).every((item) => typeof item === "string");
}

function isListOf(value: JsonValue | undefined, test: (one: JsonObject) => boolean): boolean {
  return Array.isArray(value) &&
    (value as readonly JsonValue[]).every((item) => isJsonObject(item) && test(item));
}

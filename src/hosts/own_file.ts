import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { guardProjectFile, type ProjectPlace } from "../edit/project_guard.ts";
import { HotplugError } from "../model/errors.ts";
import { editFile, type EditFileOptions } from "../platform/edited_file.ts";
import { linkTarget, writeFailure, writePrivateFile } from "../platform/private_file.ts";
import { readTextNow } from "../platform/text_file.ts";
import { hashOf, readHookHeader } from "./hook_header.ts";
import type { FileRecord } from "./hook_records.ts";
import type { HookFile, OwnFile } from "./host_kind.ts";
import { missingFolders } from "./made_folders.ts";

/** How a part of a hook is written or removed. */
export interface PartOptions {
  /** The project whose file it is; `null` for a file of the user's. */
  readonly project: ProjectPlace | null;
  /** Folder in which foreign texts are kept that `force` replaces. */
  readonly keptIn: string;
  /** `true`: what the user changed is replaced or removed, too. */
  readonly force: boolean;
  /** `true`: nothing is written. */
  readonly dryRun: boolean;
  /** Ends the waiting for files. */
  readonly signal?: AbortSignal | undefined;
}

/** A file of our own that was written, or would be. */
export interface PutFile {
  /** Before and after. */
  readonly file: HookFile;
  /** What is to be remembered of it. */
  readonly record: FileRecord;
  /** Where the text of another author is kept that was replaced; `null` when none was. */
  readonly kept: string | null;
}

/**
 * Writes a file of our own.
 *
 * @throws {HotplugError} `edit-refused` when somebody changed it or wrote another in its place;
 * what `editFile` throws.
 */
export async function putOwnFile(
  part: OwnFile,
  record: FileRecord | null,
  options: PartOptions,
): Promise<PutFile> {
  const { path } = part;
  const folders = missingFolders(path);
  let kept: string | null = null;
  const edited = await editFile(path, async (text) => {
    if (text === null || text === part.text) return part.text;
    if (isUntouched(text, record)) return part.text;
    if (!options.force) throw notOurs("write", path, record);
    kept = join(options.keptIn, `${basename(path)}-${hashOf(text).slice(0, 8)}`);
    if (!options.dryRun) await writePrivateFile(kept, text);
    return part.text;
  }, editOptions(path, options));
  return {
    file: { path, ...edited, isOwn: true },
    record: { path, hash: hashOf(part.text), folders: record?.folders ?? folders },
    kept,
  };
}

/**
 * Removes a file of our own. A link that leads to it stays.
 *
 * @returns The file before and after; `null` when there is none.
 * @throws {HotplugError} `edit-refused` when somebody changed it; `config-unreadable`,
 * `write-failed`.
 */
export async function removeOwnFile(
  path: string,
  record: FileRecord | null,
  options: PartOptions,
): Promise<HookFile | null> {
  const shared = editOptions(path, options);
  const { before } = await editFile(path, (text) => text ?? "", { ...shared, dryRun: true });
  if (before === null) return null;
  if (!options.force && !isUntouched(before, record)) throw notOurs("remove", path, record);
  if (!options.dryRun) await removeFile(path);
  return { path, before, after: null, isOwn: true };
}

/** Removes the file that a path's links lead to. */
export async function removeFile(path: string): Promise<void> {
  try {
    await rm(await linkTarget(path), { force: true });
  } catch (cause) {
    throw writeFailure(path, cause);
  }
}

/** How the file is edited: a project's so that others may read it, and within the project. */
export function editOptions(
  path: string,
  { project, dryRun, signal }: PartOptions,
): EditFileOptions {
  return {
    dryRun,
    signal,
    ...(project === null
      ? {}
      : { newMode: 0o644, guard: (target) => guardProjectFile(path, target, project) }),
  };
}

/** Whether the file at a path looks like one that Hotplug wrote, changed since or not. */
export function isOfHotplug(path: string): boolean {
  const file = readTextNow(path);
  if (file.state !== "loaded") return false;
  return readHookHeader(file.text) !== null || /"name": "hotplug"|"--for"/.test(file.text);
}

/** Whether a text is as it was written: by its first line, else by what is remembered. */
export function isUntouched(text: string, record: FileRecord | null): boolean {
  return readHookHeader(text)?.isUnchanged ?? record?.hash === hashOf(text);
}

function notOurs(
  action: "write" | "remove",
  path: string,
  record: FileRecord | null,
): HotplugError {
  const why = record === null
    ? "another file stands there, or it was changed"
    : "it was changed since it was written";
  const does = action === "write" ? "replaces it and keeps the old text" : "removes it";
  return new HotplugError("edit-refused", `Cannot ${action} "${path}": ${why}`, {
    hint: `"--force" ${does}; or move it away first`,
  });
}

import { join } from "node:path";
import { HotplugError } from "../model/errors.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { HotplugFolders } from "../model/machine.ts";
import { realPathOf } from "../platform/local_files.ts";
import { readTextFile } from "../platform/text_file.ts";

/** What this user approved in one workspace. */
export interface WorkspaceTrust {
  /** Whether the folder itself was approved, so that programs may start in it. */
  readonly folder: boolean;
  /** Digests of the approved definitions, by name. */
  readonly definitions: Readonly<Record<string, readonly string[]>>;
  /** Names of store servers that this user, not only the repository, enabled here. */
  readonly enabled: readonly string[];
  /** Digests of the approved hooks of the repository; absent when none were. */
  readonly hooks?: readonly string[];
}

/** Nothing is approved. */
export const NO_TRUST: WorkspaceTrust = { folder: false, definitions: {}, enabled: [] };

/** Path of the file of approvals. */
export function trustFile(folders: HotplugFolders): string {
  return join(folders.state, "trust.json");
}

/**
 * What was approved in a workspace; nothing when there is no file yet.
 *
 * @throws {HotplugError} `config-unreadable` or `config-malformed` when the file is there and
 * cannot be used. Nothing is approved then.
 */
export async function readTrust(
  folders: HotplugFolders,
  workspacePath: string,
): Promise<WorkspaceTrust> {
  const path = trustFile(folders);
  const file = await readTextFile(path);
  if (file.state === "absent") return NO_TRUST;
  if (file.state === "unreadable") {
    throw new HotplugError(file.error.code, file.error.message, { hint: file.error.hint });
  }
  // By its real path, so that a link to a workspace is the same and a worktree is not.
  return trustOf(parseTrust(path, file.text), realPathOf(workspacePath));
}

/**
 * Changes what is approved in a workspace, under a lock; the other workspaces keep theirs. The
 * file is 0600 in a folder of 0700.
 *
 * @throws {HotplugError} `config-malformed` when the file cannot be parsed: it is not replaced.
 */
export async function updateTrust(
  folders: HotplugFolders,
  workspacePath: string,
  change: (trust: WorkspaceTrust) => WorkspaceTrust,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const path = trustFile(folders);
  const key = realPathOf(workspacePath);
  // Loaded here, since nearly every run only reads.
  const { updatePrivateFile } = await import("../platform/private_file.ts");
  await updatePrivateFile(path, (text) => {
    const root = text === null ? {} : parseTrust(path, text);
    const workspaces = new Map(Object.entries(workspacesOf(root)));
    const trust = change(trustOf(root, key));
    if (isEmpty(trust)) workspaces.delete(key);
    else workspaces.set(key, trust as unknown as JsonObject);
    const next = { ...root, version: 1, workspaces: Object.fromEntries(workspaces) };
    return `${JSON.stringify(next, null, 2)}\n`;
  }, options.signal === undefined ? {} : { signal: options.signal });
}

/** The parsed file. */
function parseTrust(path: string, text: string): JsonObject {
  if (text.trim() === "") return {};
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch (cause) {
    throw malformed(path, "it is not JSON", cause);
  }
  if (!isJsonObject(root)) throw malformed(path, "it is not a JSON object");
  const version = root["version"];
  if (version !== undefined && version !== 1) {
    throw malformed(path, "a later version of Hotplug wrote it");
  }
  return root;
}

function malformed(path: string, reason: string, cause?: unknown): HotplugError {
  return new HotplugError("config-malformed", `Cannot use "${path}": ${reason}`, {
    hint: "Until then nothing counts as approved. Correct the file, or remove it and approve anew",
    cause,
  });
}

/** The entries of all workspaces. */
function workspacesOf(root: JsonObject): JsonObject {
  const workspaces = root["workspaces"];
  return isJsonObject(workspaces) ? workspaces : {};
}

/** What the file says of one workspace; what has another shape approves nothing. */
function trustOf(root: JsonObject, key: string): WorkspaceTrust {
  const workspaces = workspacesOf(root);
  const entry = Object.hasOwn(workspaces, key) ? workspaces[key] : undefined;
  if (!isJsonObject(entry)) return NO_TRUST;
  const hooks = strings(entry["hooks"]);
  const definitions = isJsonObject(entry["definitions"]) ? entry["definitions"] : {};
  return {
    folder: entry["folder"] === true,
    definitions: Object.fromEntries(
      Object.entries(definitions)
        .map(([name, digests]) => [name, strings(digests)] as const)
        .filter(([, digests]) => digests.length > 0),
    ),
    enabled: strings(entry["enabled"]),
    ...(hooks.length === 0 ? {} : { hooks }),
  };
}

/** The strings of what should be an array of them. */
function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function isEmpty(trust: WorkspaceTrust): boolean {
  return !trust.folder && trust.enabled.length === 0 && (trust.hooks ?? []).length === 0 &&
    Object.keys(trust.definitions).length === 0;
}

import { kindOf } from "../definitions/entry_reader.ts";
import type { ErrorInfo } from "../model/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import { textFormatOf, valueAt } from "./config_document.ts";
import type { HostFormat } from "./host_format.ts";

/** The object that holds a file's servers, or why there is none. */
export type ServersObject =
  | {
    readonly state: "found";
    /** Its entries by name, or in a list. */
    readonly entries: JsonObject | readonly JsonValue[];
    /** What the file's author should know. */
    readonly warnings: readonly string[];
  }
  | {
    /** `empty`: the key is missing; `malformed`: its value is no object. */
    readonly state: "empty" | "malformed";
    /** Why; `null` when a missing key says nothing. */
    readonly error: ErrorInfo | null;
  };

/** Keys under which some host or other expects its servers, without case and punctuation. */
const SERVER_KEYS: ReadonlySet<string> = new Set([
  "ampmcpservers",
  "contextservers",
  "mcp",
  "mcpserver",
  "mcpservers",
  "server",
  "servers",
]);

/** Keys that tell an entry that describes a server from any other object. */
const ENTRY_KEYS: readonly string[] = ["command", "url", "httpUrl", "serverUrl"];

/**
 * Finds the servers of a parsed file. A file without the expected key is never plainly empty:
 * the key that stands in its place, or entries without a wrapper, are named.
 */
export function findServers(
  root: JsonObject,
  path: string,
  key: readonly string[],
  format: Pick<HostFormat, "shared" | "list">,
): ServersObject {
  const value = valueAt(root, key);
  const entries = format.list === undefined ? asObject(value) : asList(value);
  if (entries !== null) {
    return { state: "found", entries, warnings: otherKeys(root, key, format) };
  }
  if (value !== undefined) {
    return { state: "malformed", error: wrongKind(path, key, value, format) };
  }
  if (format.shared === "foreign") return { state: "empty", error: null };
  if (format.shared === true) return { state: "empty", error: misspelt(root, path, key, format) };
  return { state: "empty", error: missingKey(root, path, key, format) };
}

function asObject(value: unknown): JsonObject | null {
  return isJsonObject(value) ? value : null;
}

function asList(value: unknown): readonly JsonValue[] | null {
  return Array.isArray(value) ? value as readonly JsonValue[] : null;
}

/** What stands where the servers should, and is something else. */
function wrongKind(
  path: string,
  key: readonly string[],
  value: unknown,
  { list }: Pick<HostFormat, "list">,
): ErrorInfo {
  const shown = key.at(-1) ?? "";
  const wanted = list === undefined ? "an object" : "a list";
  return {
    code: "config-invalid",
    message: `Cannot use "${path}": "${shown}" must be ${wanted}, found ${kindOf(value)}`,
    hint: list === undefined
      ? `Write "${shown}": { "<name>": { … } }, one entry for each server`
      : listHint(path, key, list),
  };
}

/**
 * The group of servers that a file of many things has under another host's key, such as
 * `[mcp.servers.x]` in place of `[mcp_servers.x]`; `null` when there is none.
 */
function misspelt(
  root: JsonObject,
  path: string,
  key: readonly string[],
  format: Pick<HostFormat, "list">,
): ErrorInfo | null {
  const expected = key.join(".");
  const found = serverKeys(root).find((one) => holdsServers(valueAt(root, one.split("."))));
  if (found === undefined || found === expected || key.length !== 1) return null;
  return {
    code: "config-invalid",
    message: `Cannot find "${expected}" in "${path}": found servers in "${found}"`,
    hint: renameHint(found, valueAt(root, found.split(".")), path, key, format),
  };
}

/** What to do with servers under another key; a host that wants a list takes no object of them. */
function renameHint(
  found: string,
  value: unknown,
  path: string,
  key: readonly string[],
  { list }: Pick<HostFormat, "list">,
): string {
  return list === undefined || Array.isArray(value)
    ? `Rename "${found}" to "${key.join(".")}"`
    : listHint(path, key, list);
}

/** How servers are written as a list, each with its name under a key. */
function listHint(path: string, key: readonly string[], list: string): string {
  const shown = key.join(".");
  switch (textFormatOf(path)) {
    case "toml":
      return `Write each server as [[${shown}]] with ${list} = "<name>"`;
    case "yaml":
      return `Write each server as an item of "${shown}" that begins with "- ${list}: <name>"`;
    default:
      return `Write "${shown}": [{ "${list}": "<name>", … }], one item for each server`;
  }
}

/** Whether a value is an object of servers. */
function holdsServers(value: unknown): boolean {
  return isJsonObject(value) && Object.values(value).some(looksLikeServer);
}

/** Why a file of servers has none; `null` when nothing in it looks like servers. */
function missingKey(
  root: JsonObject,
  path: string,
  key: readonly string[],
  format: Pick<HostFormat, "list">,
): ErrorInfo | null {
  const expected = key.at(-1) ?? "";
  const found = serverKeys(root)[0];
  if (found !== undefined) {
    return {
      code: "config-invalid",
      message: `Cannot find "${expected}" in "${path}": found "${found}"`,
      hint: renameHint(found, valueAt(root, found.split(".")), path, [expected], format),
    };
  }
  const names = Object.keys(root).filter((name) => !name.startsWith("$"));
  if (names.length > 0 && names.every((name) => looksLikeServer(root[name]))) {
    return {
      code: "config-invalid",
      message: `Cannot find "${expected}" in "${path}": found servers at the top level`,
      hint: `Wrap them: { "${expected}": { "${names[0]}": { … } } }`,
    };
  }
  return null;
}

/** Warnings about keys of other hosts beside the one that is read. */
function otherKeys(
  root: JsonObject,
  key: readonly string[],
  format: Pick<HostFormat, "shared">,
): readonly string[] {
  const expected = key[0];
  const { shared = false } = format;
  if (shared === "foreign" || key.length !== 1 || expected === undefined) return [];
  // A file of many things may hold another host's servers; only a misspelt key is worth a word.
  const isMeant = (found: string): boolean =>
    !shared ||
    (folded(found) === folded(expected) && holdsServers(valueAt(root, found.split("."))));
  return serverKeys(root)
    .filter((found) => found !== expected && isMeant(found))
    .map((found) => `"${found}" stands beside "${expected}" and is not read`);
}

/** Top-level keys that some host reads servers from, as a path in words. */
function serverKeys(root: JsonObject): readonly string[] {
  const found: string[] = [];
  for (const [key, value] of Object.entries(root)) {
    if (typeof value !== "object" || value === null) continue;
    if (!SERVER_KEYS.has(folded(key))) continue;
    // An entry of this very name without a wrapper is a server, not a wrapper.
    if (looksLikeServer(value)) continue;
    const nested = isJsonObject(value) && isJsonObject(value["servers"]) ? ".servers" : "";
    found.push(`${key}${nested}`);
  }
  return found;
}

/** A key without case and punctuation. */
function folded(key: string): string {
  return key.toLowerCase().replaceAll(/[^a-z]/g, "");
}

/** Tells whether a value has what only a server's entry has. */
export function looksLikeServer(value: unknown): boolean {
  return isJsonObject(value) &&
    ENTRY_KEYS.some((key) =>
      Object.hasOwn(value, key) &&
      (typeof value[key] === "string" || Array.isArray(value[key]))
    );
}

import { kindOf } from "../definitions/entry_reader.ts";
import type { ErrorInfo } from "../model/errors.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import { valueAt } from "./config_document.ts";
import type { HostFormat } from "./host_format.ts";

/** The object that holds a file's servers, or why there is none. */
export type ServersObject =
  | {
    readonly state: "found";
    /** Its entries by name. */
    readonly entries: JsonObject;
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
  format: Pick<HostFormat, "shared">,
): ServersObject {
  const expected = key.at(-1) ?? "";
  const value = valueAt(root, key);
  if (isJsonObject(value)) {
    return { state: "found", entries: value, warnings: otherKeys(root, key, format) };
  }
  if (value !== undefined) {
    return {
      state: "malformed",
      error: {
        code: "config-invalid",
        message: `Cannot use "${path}": "${expected}" must be an object, found ${kindOf(value)}`,
        hint: `Write "${expected}": { "<name>": { … } }, one entry for each server`,
      },
    };
  }
  if (format.shared === true) return { state: "empty", error: null };
  return { state: "empty", error: missingKey(root, path, expected) };
}

/** Why a file of servers has none; `null` when nothing in it looks like servers. */
function missingKey(root: JsonObject, path: string, expected: string): ErrorInfo | null {
  const found = serverKeys(root)[0];
  if (found !== undefined) {
    return {
      code: "config-invalid",
      message: `Cannot find "${expected}" in "${path}": found "${found}"`,
      hint: `Rename "${found}" to "${expected}"`,
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
  if (format.shared === true || key.length !== 1 || expected === undefined) return [];
  return serverKeys(root)
    .filter((found) => found !== expected)
    .map((found) => `"${found}" stands beside "${expected}" and is not read`);
}

/** Top-level keys that some host reads servers from, as a path in words. */
function serverKeys(root: JsonObject): readonly string[] {
  const found: string[] = [];
  for (const [key, value] of Object.entries(root)) {
    if (typeof value !== "object" || value === null) continue;
    if (!SERVER_KEYS.has(key.toLowerCase().replaceAll(/[^a-z]/g, ""))) continue;
    // An entry of this very name without a wrapper is a server, not a wrapper.
    if (looksLikeServer(value)) continue;
    const nested = isJsonObject(value) && isJsonObject(value["servers"]) ? ".servers" : "";
    found.push(`${key}${nested}`);
  }
  return found;
}

/** Tells whether a value has what only a server's entry has. */
export function looksLikeServer(value: unknown): boolean {
  return isJsonObject(value) &&
    ENTRY_KEYS.some((key) =>
      Object.hasOwn(value, key) &&
      (typeof value[key] === "string" || Array.isArray(value[key]))
    );
}

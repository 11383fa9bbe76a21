import type { JsonObject, JsonValue } from "../model/json.ts";
import type { EntryReader } from "./entry_reader.ts";
import { closest } from "./suggestion.ts";

/** Every key of the canonical form. */
export const CANONICAL_KEYS: readonly string[] = [
  "type",
  "command",
  "args",
  "env",
  "envFile",
  "cwd",
  "url",
  "headers",
  "enabled",
  "disabled",
  "timeout",
  "startupTimeout",
  "callTimeout",
  "enabledTools",
  "disabledTools",
  "autoApprove",
  "protocol",
  "inheritEnv",
  "share",
  "auth",
  "oauth",
  "description",
];

/** What other hosts call a canonical key; read from any file, with a warning. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["transport", "type"],
  ["transportType", "type"],
  ["transport_type", "type"],
  ["cmd", "command"],
  ["environment", "env"],
  ["envs", "env"],
  ["env_file", "envFile"],
  ["workingDirectory", "cwd"],
  ["working_directory", "cwd"],
  ["serverUrl", "url"],
  ["httpUrl", "url"],
  ["baseUrl", "url"],
  ["uri", "url"],
  ["http_headers", "headers"],
  ["includeTools", "enabledTools"],
  ["enabled_tools", "enabledTools"],
  ["allowedTools", "enabledTools"],
  ["available_tools", "enabledTools"],
  ["excludeTools", "disabledTools"],
  ["disabled_tools", "disabledTools"],
  ["blockedTools", "disabledTools"],
  ["alwaysAllow", "autoApprove"],
]);

/** Keys under which whole servers stand; in an entry they come from a pasted file. */
const WRAPPERS: readonly string[] = ["mcpServers", "servers", "mcp_servers", "context_servers"];

/** Keys that are notes to humans and editors in any file. */
const NOTE = /^(?:_|\$|\/\/|#|x-)/;

/**
 * The fields of an entry by their canonical names. A dialect's own keys are translated silently,
 * aliases of other hosts with a warning; the canonical key wins over both. What is left over is
 * warned about.
 */
export function canonicalFields(
  entry: JsonObject,
  rename: Readonly<Record<string, string>>,
  ignore: readonly string[],
  reader: EntryReader,
): ReadonlyMap<string, JsonValue> {
  const fields = new Map<string, JsonValue>();
  const others: [string, JsonValue][] = [];
  for (const [key, value] of Object.entries(entry)) {
    if (value === undefined) continue;
    if (CANONICAL_KEYS.includes(key) && !Object.hasOwn(rename, key)) fields.set(key, value);
    else others.push([key, value]);
  }
  for (const [key, value] of others) {
    if (ignore.includes(key)) continue;
    const own = Object.hasOwn(rename, key) ? rename[key] : undefined;
    const canonical = own ?? ALIASES.get(key);
    if (canonical === undefined) noteUnknown(key, value, rename, reader);
    else if (isBlank(fields.get(canonical))) {
      fields.set(canonical, value);
      if (own === undefined) reader.warn(`"${key}" is read as "${canonical}"`);
    } else reader.warn(`"${key}" is ignored: "${canonical}" is given too`);
  }
  return fields;
}

function noteUnknown(
  key: string,
  value: JsonValue,
  rename: Readonly<Record<string, string>>,
  reader: EntryReader,
): void {
  if (WRAPPERS.includes(key) && typeof value === "object" && value !== null) {
    reader.problem(
      `Cannot use this entry: it holds another "${key}" instead of a server`,
      `Move what stands in the inner "${key}" one level up`,
    );
    return;
  }
  if (NOTE.test(key)) return;
  const known = closest(key, [...Object.keys(rename), ...CANONICAL_KEYS, ...ALIASES.keys()]);
  const isOwn = known === null || Object.hasOwn(rename, known);
  const meant = isOwn ? known : ALIASES.get(known) ?? known;
  const shown = JSON.stringify(key.length > 60 ? `${key.slice(0, 60)}…` : key);
  reader.warn(
    `Unknown key ${shown} is ignored${meant === null ? "" : `: did you mean "${meant}"`}`,
  );
}

/** Which of command and url are given and hold nothing, each with an empty text. */
export function emptyKeys(
  fields: ReadonlyMap<string, JsonValue>,
): { readonly command?: string; readonly url?: string } {
  const isEmpty = (value: JsonValue | undefined): boolean =>
    Array.isArray(value)
      ? value.length === 0 || isEmpty((value as readonly JsonValue[])[0])
      : typeof value === "string" && value.trim() === "";
  const keys = ["command", "url"].filter((key) => isEmpty(fields.get(key)));
  return Object.fromEntries(keys.map((key) => [key, ""]));
}

function isBlank(value: JsonValue | undefined): boolean {
  return value === undefined || value === null ||
    (typeof value === "string" && value.trim() === "");
}

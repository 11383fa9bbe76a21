import { parseTemplate } from "../definitions/placeholder_syntax.ts";
import type { ServerConfig, TransportType } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import { isJsonObject, type JsonValue } from "../model/json.ts";
import type { HostFormat } from "./host_format.ts";
import type { WrittenEntry } from "./host_spelling.ts";
import { isLiteral } from "./literal_keys.ts";

/** Canonical keys in the order in which they are written; the transport comes before them. */
const ORDER: readonly (keyof ServerConfig)[] = [
  "command",
  "args",
  "cwd",
  "env",
  "envFile",
  "inheritEnv",
  "url",
  "headers",
  "auth",
  "oauth",
  "startupTimeout",
  "callTimeout",
  "enabledTools",
  "disabledTools",
  "autoApprove",
  "protocol",
  "share",
  "description",
];

/** What every host has a word for. */
const COMMON: ReadonlySet<keyof ServerConfig> = new Set([
  "command",
  "args",
  "env",
  "url",
  "headers",
]);

/** Keys without which a server would run otherwise, or not at all. */
const NEEDED: ReadonlySet<keyof ServerConfig> = new Set(["cwd", "envFile"]);

/**
 * An entry as a host's file holds it: the host's own keys, units and switch. Pure. The config's
 * placeholders must be in the format's dialect already.
 */
export function writeEntry(name: string, config: ServerConfig, format: HostFormat): WrittenEntry {
  const { spelling, label } = format;
  const problems: ErrorInfo[] = [];
  const warnings: string[] = [];
  if (spelling === undefined) {
    const none = unsayable(`Servers cannot be written for ${label}`);
    return { raw: {}, problems: [none], warnings, isListed: false };
  }
  const type: TransportType = config.type ??
    (config.command === undefined ? "streamable_http" : "stdio");
  const word = spelling.types[type];
  if (word === undefined) problems.push(unsayable(`${label} has no ${type} servers in its file`));
  const raw: Record<string, JsonValue | undefined> = {};
  if (word !== undefined && word !== null) raw[spelling.typeKey ?? "type"] = word;
  for (const key of ORDER) {
    const value = config[key];
    if (value === undefined) continue;
    if (COMMON.has(key) || spelling.keys?.includes(key) === true) {
      raw[hostKey(key, format)] = inHostUnit(key, value as JsonValue, format);
    } else if (NEEDED.has(key)) {
      problems.push(unsayable(`${label} has no word for "${key}"`));
    } else if (key !== "inheritEnv" || value !== true || format.environment !== "all") {
      warnings.push(`"${key}" is left out: ${label} has no word for it`);
    }
  }
  const listed = spelling.off?.kind === "list" ? spelling.off : undefined;
  // A list in another file is for its host to write, or for the switch of one server.
  const off = config.enabled === false && listed?.file === undefined ? spelling.off : undefined;
  if (off?.kind === "key") raw[off.key] = off.off;
  if (off?.kind === "list" && typeof off.path === "function") {
    warnings.push(`It is off in this project alone: ${label} has no switch for all of them`);
  }
  if (config.enabled === false && off === undefined) {
    warnings.push(`It is off and would be on there: ${label} has no switch in its file`);
  }
  if (spelling.unsets !== true) problems.push(...unsetProblems(config, label));
  const finished = spelling.finish?.(raw, config, name) ?? { raw };
  problems.push(...finished.problems ?? []);
  const plain = Object.entries(finished.raw).map(([key, value]) => [
    key,
    isLiteral(key, format) ? unescaped(value, [key], format, problems) : value,
  ]);
  return {
    raw: Object.fromEntries(plain),
    problems,
    warnings,
    isListed: off?.kind === "list",
  };
}

/** Variables that are taken away, for a host that would take `null` for a mistake. */
function unsetProblems({ env = {} }: ServerConfig, label: string): readonly ErrorInfo[] {
  return Object.entries(env).filter(([, value]) => value === null).map(([name]) =>
    unsayable(`${label} has no word for unsetting the variable "${name}"`)
  );
}

/** The host's name of a canonical key. */
function hostKey(key: keyof ServerConfig, { rename = {} }: HostFormat): string {
  return Object.entries(rename).find(([, canonical]) => canonical === key)?.[0] ?? key;
}

/** Times in the host's unit; everything else as it is. */
function inHostUnit(key: string, value: JsonValue, { timeoutUnit }: HostFormat): JsonValue {
  const isTime = key === "startupTimeout" || key === "callTimeout";
  return isTime && timeoutUnit === "s" && typeof value === "number" ? value / 1000 : value;
}

/** Literal texts as they are written; one that still holds a placeholder cannot be. */
function unescaped(
  value: JsonValue | undefined,
  path: readonly string[],
  format: HostFormat,
  problems: ErrorInfo[],
): JsonValue | undefined {
  if (typeof value === "string") {
    const parts = parseTemplate(value, format.dialect);
    if (parts.every((part) => part.kind === "text")) {
      return parts.map((part) => part.kind === "text" ? part.text : "").join("");
    }
    problems.push(unsayable(
      `${format.label} knows no placeholder in "${path.join(".")}", and values are never copied`,
    ));
    return value;
  }
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((item, index) =>
      unescaped(item, [...path, String(index)], format, problems) ?? null
    );
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      unescaped(item, [...path, key], format, problems),
    ]),
  );
}

/** Why an entry cannot be written for a host. */
export function unsayable(message: string): ErrorInfo {
  return {
    code: "config-invalid",
    message: `Cannot write this server: ${message}`,
    hint: "Leave it to Hotplug, or write it there by hand",
  };
}

import { join } from "node:path";
import type { JsonObject, JsonValue } from "../model/json.ts";
import type { ServerConfig } from "../model/definition.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import type { HostFile } from "./host_source.ts";
import { withSingleTimeout } from "./single_timeout.ts";

/** What the settings of opencode and of the hosts made from it have in common. */
export const OPENCODE_SETTINGS: Omit<HostFormat, "id" | "label" | "rank"> = {
  dialect: "env-braces",
  environment: "all",
  key: ["mcp"],
  shared: true,
  layered: true,
  rename: { environment: "env" },
  ignore: ["codemode"],
  translate: opencodeEntry,
  spelling: {
    types: { stdio: "local", streamable_http: "remote", sse: "remote" },
    keys: ["cwd", "startupTimeout", "callTimeout", "oauth"],
    off: { kind: "key", key: "enabled", off: false },
    finish: (raw, config) => ({ raw: spelled(withSingleTimeout(raw), config) }),
  },
};

/**
 * An entry with program and arguments apart, and one limit for each of the two things that can
 * take too long. `remote` leaves open which transport it is; Streamable HTTP is tried first.
 */
export function opencodeEntry(raw: JsonObject): TranslatedEntry {
  const { type, command, timeout, env, ...rest } = raw;
  const entry: Record<string, JsonValue | undefined> = { ...rest };
  if (type !== undefined && type !== "remote") entry["type"] = type;
  if (command !== undefined) Object.assign(entry, programOf(command, raw["args"]));
  Object.assign(entry, limitsOf(timeout));
  if (env !== undefined && raw["environment"] === undefined) entry["environment"] = env;
  return { raw: entry };
}

/** The command line as the host writes it, in one array. */
function programOf(command: JsonValue, args: JsonValue | undefined): JsonObject {
  if (!Array.isArray(command)) return { command };
  const [program = null, ...first] = command as readonly JsonValue[];
  if (args !== undefined && !Array.isArray(args)) return { command: program };
  const all = [...first, ...(args ?? []) as readonly JsonValue[]];
  return all.length === 0 ? { command: program } : { command: program, args: all };
}

/** One number for both limits, or an object with one for each. */
function limitsOf(timeout: JsonValue | undefined): JsonObject {
  if (typeof timeout !== "object" || timeout === null || Array.isArray(timeout)) {
    return timeout === undefined ? {} : { timeout };
  }
  const { startup, execution } = timeout as JsonObject;
  return {
    ...(startup === undefined ? {} : { startupTimeout: startup }),
    ...(execution === undefined ? {} : { callTimeout: execution }),
  };
}

/** The written entry with its command line in one array. */
function spelled({ command, args, ...rest }: JsonObject, config: ServerConfig): JsonObject {
  if (config.command === undefined || command === undefined) return rest;
  return { ...rest, command: [command, ...(Array.isArray(args) ? args : [])] };
}

/** The settings in a folder of the user's that an agent reads too, but does not write. */
export function settingsIn(names: readonly string[], folder: string | null): readonly HostFile[] {
  return folder === null ? [] : names.flatMap((name) => settingsAt(join(folder, name)));
}

/** One such file, if there is such a path. */
export function settingsAt(path: string | null): readonly HostFile[] {
  return path === null ? [] : [{ path, written: false }];
}

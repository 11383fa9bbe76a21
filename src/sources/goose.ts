import { join } from "node:path";
import type { ServerConfig } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { Machine } from "../model/machine.ts";
import { pluginFiles, pluginFolders, withoutDisabledPlugins } from "./goose_plugins.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { inConfig, inRoaming, movedTo } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";
import { nameList } from "./name_list.ts";
import { withSingleTimeout } from "./single_timeout.ts";

/** Goose's settings. Texts mean what they say, but for the variables of a remote server. */
const FORMAT: HostFormat = {
  id: "goose",
  label: "Goose",
  rank: 30,
  dialect: "common",
  environment: "all",
  key: ["extensions"],
  shared: true,
  literal: true,
  timeoutUnit: "s",
  rename: { cmd: "command", envs: "env", uri: "url", available_tools: "enabledTools" },
  ignore: ["bundled", "display_name", "name"],
  translate,
  spelling: {
    types: { stdio: "stdio", streamable_http: "streamable_http" },
    keys: ["cwd", "startupTimeout", "callTimeout", "enabledTools", "description"],
    off: { kind: "key", key: "enabled", off: false, on: true },
    finish,
  },
};

/** Goose: the extensions of its settings that are MCP servers, and those of plugins. */
export const goose: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [settingsFile(machine)],
  foundFiles: pluginFiles,
  folders: pluginFolders,
  nearMisses: ({ machine }) => [{
    path: settingsFile(machine).replace(/aml$/, "ml"),
    scope: "user",
    belongs: settingsFile(machine),
    key: "extensions",
  }],
  finish: (reading, context) =>
    withoutDisabledPlugins(reading, context, FORMAT, settingsFile(context.machine)),
});

/** The settings, which are elsewhere on Windows and can be moved. */
function settingsFile(machine: Machine): string {
  const moved = movedTo(machine, "GOOSE_PATH_ROOT");
  if (moved !== null) return join(moved, "config", "config.yaml");
  return machine.platform === "win32"
    ? inRoaming(machine, "Block", "goose", "config", "config.yaml")
    : inConfig(machine, "goose", "config.yaml");
}

/** Extensions that Goose itself is or runs. */
const OWN_TYPES: ReadonlySet<unknown> = new Set([
  "builtin",
  "platform",
  "frontend",
  "inline_python",
]);

/** Keys of the client that Goose logs in as. */
const CLIENT_KEYS: readonly string[] = ["client_id", "client_secret_key", "scopes"];

/** Leaves out Goose's own extensions, and brings in the secrets that Goose keeps in a keyring. */
function translate(raw: JsonObject): TranslatedEntry {
  if (OWN_TYPES.has(raw["type"])) return { raw: {}, skip: true };
  const { env_keys, envs, headers, socket, uri, available_tools, ...others } = raw;
  const listed = nameList("env_keys", env_keys);
  const warnings = [...listed.warnings];
  const problems: ErrorInfo[] = [];
  if (raw["enabled"] === undefined) warnings.push(`Goose leaves it out: "enabled" is missing`);
  if (typeof socket === "string") {
    problems.push({
      code: "config-invalid",
      message: "Only Goose can reach this server: it listens on a socket",
      hint: "To reach it here too, give it a port of its own",
    });
  }
  const secrets = Object.fromEntries(listed.names.map((name) => [name, `\${secret:${name}}`]));
  const variables = { ...secrets, ...isJsonObject(envs) ? envs : {} };
  const isRemote = uri !== undefined;
  const entry: Record<string, JsonValue | undefined> = {
    ...Object.fromEntries(Object.entries(others).filter(([key]) => !CLIENT_KEYS.includes(key))),
    // An empty list offers everything.
    "available_tools": Array.isArray(available_tools) && available_tools.length === 0
      ? undefined
      : available_tools,
    envs: envs !== undefined && !isJsonObject(envs) ? envs : isRemote ? undefined : variables,
    uri: substituted(uri, variables),
    headers: isJsonObject(headers)
      ? Object.fromEntries(
        Object.entries(headers).map(([name, text]) => [name, substituted(text, variables)]),
      )
      : headers,
    oauth: client(raw),
  };
  return { raw: defined(entry), problems, warnings };
}

/** A variable in a text of a remote server, as it stands after `${` was made literal. */
const VARIABLE = /\$?\$\{\s*([A-Za-z_]\w*)\s*\}|\$([A-Za-z_]\w*)/g;

/** A text with the entry's own variables in it; Goose knows no others. */
function substituted(text: JsonValue | undefined, variables: JsonObject): JsonValue | undefined {
  if (typeof text !== "string") return text;
  return text.replaceAll(VARIABLE, (found: string, braced?: string, bare?: string) => {
    const name = braced ?? bare ?? "";
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return typeof value === "string" ? value : found;
  });
}

/** The client that Goose logs in as, as it is written; `undefined` without one. */
function client(raw: JsonObject): JsonObject | undefined {
  const given = CLIENT_KEYS.filter((key) => raw[key] !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given.map((key) => [key, raw[key]]));
}

/** Adds what Goose cannot read an entry without, and hands secrets over to its keyring. */
function finish(
  raw: JsonObject,
  config: ServerConfig,
  name: string,
): { readonly raw: JsonObject; readonly problems?: readonly ErrorInfo[] } {
  const { envs, timeout, ...others } = withSingleTimeout(raw);
  const env = Object.entries(isJsonObject(envs) ? envs : {});
  const isSecret = ([key, value]: readonly [string, unknown]): boolean =>
    value === `\${secret:${key}}` || value === `\${${key}}`;
  const keys = env.filter(isSecret).map(([key]) => key);
  return {
    raw: defined({
      name,
      enabled: true,
      ...others,
      // Goose has no default for these.
      args: config.url === undefined ? others["args"] ?? [] : others["args"],
      envs: env.length === 0
        ? undefined
        : Object.fromEntries(env.filter((entry) => !isSecret(entry))),
      env_keys: keys.length === 0 ? undefined : keys,
      // A fraction of a second is none of Goose's numbers.
      timeout: typeof timeout === "number" ? Math.ceil(timeout) : undefined,
    }),
  };
}

/** An object without the keys that have no value. */
function defined(entry: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
}

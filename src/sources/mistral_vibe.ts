import { join } from "node:path";
import { splitCommandLine } from "../definitions/command_line.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { Machine } from "../model/machine.ts";
import { hasHeader, wholeVariable } from "./header_variables.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { inHome, movedTo } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";

/** Mistral Vibe's settings, of which its servers are a part. */
const FORMAT: HostFormat = {
  id: "mistral-vibe",
  label: "Mistral Vibe",
  rank: 30,
  // Its texts are literal; a variable comes in by the key that names it.
  dialect: "common",
  literal: true,
  environment: "base",
  key: ["mcp_servers"],
  list: "name",
  shared: true,
  timeoutUnit: "s",
  rename: {
    transport: "type",
    startup_timeout_sec: "startupTimeout",
    tool_timeout_sec: "callTimeout",
    disabled_tools: "disabledTools",
  },
  ignore: ["prompt", "sampling_enabled"],
  translate,
  spelling: {
    types: { stdio: "stdio", streamable_http: "streamable-http" },
    typeKey: "transport",
    keys: ["cwd", "startupTimeout", "callTimeout", "disabledTools"],
    off: { kind: "key", key: "disabled", off: true },
    finish: (raw) => ({ raw: spelled(raw) }),
  },
};

/** Mistral Vibe: `config.toml` of the project and of the user, merged by the servers' names. */
export const mistralVibe: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [join(folder(machine), "config.toml")],
  projectFiles: [join(".vibe", "config.toml")],
});

/** The user's folder of Mistral Vibe. */
function folder(machine: Machine): string {
  return movedTo(machine, "VIBE_HOME") ?? inHome(machine, ".vibe");
}

/** How a token is put into its header unless the entry says. */
const TOKEN_FORMAT = "Bearer {token}";

/** Takes the command line apart, and gathers the headers from the two places for them. */
function translate(raw: JsonObject): TranslatedEntry {
  const { auth, headers, api_key_env, api_key_header, api_key_format, command, ...rest } = raw;
  const login: JsonObject = isJsonObject(auth) ? auth : {};
  const isOauth = login["type"] === "oauth";
  const fixed: JsonObject = isJsonObject(auth) && !isOauth
    ? login
    : { headers, api_key_env, api_key_header, api_key_format };
  const all = headersOf(fixed);
  return {
    raw: {
      ...rest,
      ...programOf(command, rest["args"]),
      ...(all === undefined ? {} : { headers: all }),
      ...(isOauth ? { oauth: login } : {}),
    },
  };
}

/** The command line: a string with all of it, or an array; `args` follow. */
function programOf(command: JsonValue | undefined, args: JsonValue | undefined): JsonObject {
  const words = typeof command === "string" ? splitCommandLine(command) : command;
  if (!Array.isArray(words)) return command === undefined ? {} : { command };
  if (args !== undefined && !Array.isArray(args)) return { command: words[0] };
  const all = [...words.slice(1), ...(args ?? []) as readonly JsonValue[]];
  return { command: words[0] ?? "", ...(all.length === 0 ? {} : { args: all }) };
}

/** The headers, with that of the token whose variable is named, unless it is written out. */
function headersOf(fixed: JsonObject): JsonValue | undefined {
  const { headers } = fixed;
  const variable = textOf(fixed["api_key_env"]);
  if (variable === "") return headers;
  const header = textOf(fixed["api_key_header"]) || "Authorization";
  const written = isJsonObject(headers) ? headers : {};
  if (hasHeader(written, header)) return headers;
  const format = textOf(fixed["api_key_format"]) || TOKEN_FORMAT;
  return { ...written, [header]: format.replaceAll("{token}", `\${env:${variable}}`) };
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value.trim() : "";
}

/**
 * A written entry. A program that would be taken for several words stands in an array; the one
 * header that is a variable's is named by the keys for it.
 */
function spelled(raw: JsonObject): JsonObject {
  const { headers, ...rest } = raw;
  const { command } = rest;
  if (typeof command === "string" && /[\s'"\\]/.test(command)) {
    return { ...rest, command: [command] };
  }
  if (!isJsonObject(headers)) return raw;
  const found = Object.entries(headers).map(([header, value]) => {
    const bearer = wholeVariable(value, "Bearer ");
    const variable = bearer ?? wholeVariable(value);
    return { header, variable, format: bearer === null ? "{token}" : TOKEN_FORMAT };
  }).find(({ variable }) => variable !== null);
  const others = Object.entries(headers).filter(([header]) => header !== found?.header);
  return {
    ...rest,
    ...(others.length === 0 ? {} : { headers: Object.fromEntries(others) }),
    ...(found === undefined ? {} : {
      api_key_env: found.variable,
      api_key_header: found.header,
      api_key_format: found.format,
    }),
  };
}

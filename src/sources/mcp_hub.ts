import { join } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { inHome } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";

/** The files of mcp-hub, which mcphub.nvim starts and fills. */
const FORMAT: HostFormat = {
  id: "mcp-hub",
  label: "mcp-hub",
  rank: 30,
  dialect: "cmd-braces",
  environment: "base",
  key: ["mcpServers"],
  rename: { disabled_tools: "disabledTools" },
  ignore: [
    "config_source",
    "custom_instructions",
    "dev",
    "disabled_prompts",
    "disabled_resourceTemplates",
    "disabled_resources",
    "name",
  ],
  translate,
  spelling: {
    types: { stdio: null, streamable_http: null, sse: "sse" },
    keys: ["cwd", "disabledTools", "autoApprove"],
    off: { kind: "key", key: "disabled", off: true },
  },
};

/** mcp-hub: `servers.json` of the user and of the project. */
export const mcpHub: HostSource = hostSource({
  format: FORMAT,
  // Its plugin names the folder so on every system, whatever the XDG variables say.
  files: (machine) => [inHome(machine, ".config", "mcphub", "servers.json")],
  projectFiles: [join(".mcphub", "servers.json")],
});

/**
 * Variables without a value come from the environment, and so does an argument `$V`, as it was
 * written once. That all tools are approved is no list of tools.
 */
function translate(raw: JsonObject): TranslatedEntry {
  const { env, args, autoApprove, ...rest } = raw;
  return {
    raw: {
      ...rest,
      ...(env === undefined ? {} : { env: isJsonObject(env) ? withOwnValues(env) : env }),
      ...(args === undefined
        ? {}
        : { args: Array.isArray(args) ? (args as readonly JsonValue[]).map(withBraces) : args }),
      ...(typeof autoApprove === "boolean" || autoApprove === undefined ? {} : { autoApprove }),
    },
  };
}

function withOwnValues(env: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      value === null || value === "" ? `\${env:${name}}` : value,
    ]),
  );
}

function withBraces(arg: JsonValue): JsonValue {
  return typeof arg === "string" ? arg.replace(/^\$([A-Za-z_][A-Za-z0-9_]*)$/, "${$1}") : arg;
}

import { join } from "node:path";
import type { Definition } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { Machine } from "../model/machine.ts";
import { readConfigDocument, valueAt } from "./config_document.ts";
import { withHeaderVariables } from "./header_variables.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { inHome, movedTo } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";
import { nameList } from "./name_list.ts";
import type { SourceContext, SourceReading } from "./source.ts";
import { withWholeSeconds } from "./whole_seconds.ts";
import { unsayable } from "./written_entry.ts";

/** Grok's settings, of which its servers are a part. */
const FORMAT: HostFormat = {
  id: "grok",
  label: "Grok",
  rank: 30,
  dialect: "braces",
  environment: "all",
  key: ["mcp_servers"],
  shared: true,
  timeoutUnit: "s",
  rename: {
    startup_timeout_sec: "startupTimeout",
    tool_timeout_sec: "callTimeout",
  },
  ignore: [
    "expose_image_base64",
    "oauth_client_id",
    "oauth_client_secret_env_var",
    "oauth_scopes",
    "setup",
    "tool_timeouts",
  ],
  translate,
  spelling: {
    types: { stdio: null, streamable_http: null, sse: "sse" },
    keys: ["cwd", "startupTimeout", "callTimeout", "oauth"],
    off: { kind: "key", key: "enabled", off: false },
    finish: (raw, _config, name) => ({
      raw: withWholeSeconds(raw, ["startup_timeout_sec", "tool_timeout_sec"]),
      problems: /^[A-Za-z0-9_-]+$/.test(name)
        ? []
        : [unsayable("Grok takes letters, digits, - and _ in names")],
    }),
  },
};

/** What only the user's own file may hold: who is off, here and in all projects. */
const USER_LISTS: Partial<HostFormat> = {
  switches: [{ path: ["disabled_mcp_servers"], means: "off" }],
};

/**
 * Grok: `config.toml` of every folder of the project, of the user, and of the user's organisation.
 * An entry of the project's takes the whole place of the user's.
 */
export const grok: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [
    { path: userFile(machine), format: USER_LISTS },
    { path: join(folder(machine), "managed_config.toml"), written: false },
  ],
  foundFiles: ({ machine }) =>
    machine.platform === "win32" ? [] : [{ path: "/etc/grok/managed_config.toml" }],
  projectFiles: [join(".grok", "config.toml")],
  nearMisses: ({ machine }) => [{
    path: join(folder(machine), "mcp.json"),
    scope: "user",
    belongs: userFile(machine),
  }],
  finish: withoutTools,
});

/** The user's folder of Grok. */
function folder(machine: Machine): string {
  return movedTo(machine, "GROK_HOME") ?? inHome(machine, ".grok");
}

function userFile(machine: Machine): string {
  return join(folder(machine), "config.toml");
}

/** Puts the token's variable into the headers, and tells what only Grok itself can fill in. */
function translate(raw: JsonObject): TranslatedEntry {
  const problems: ErrorInfo[] = [];
  const warnings: string[] = [];
  if (raw["setup"] !== undefined) {
    problems.push({
      code: "config-invalid",
      message: `Cannot use this entry: "setup" asks for values that only Grok knows`,
      hint: "Write the values themselves in place of {{ … }}",
    });
  }
  const { urlTemplate, url_template: template, ...rest } = raw;
  const url = raw["url"] ?? urlTemplate ?? template;
  const entry = withHeaderVariables({ ...rest, ...(url === undefined ? {} : { url }) }, "headers");
  const headers = entry["headers"];
  if (!isJsonObject(headers)) return { raw: entry, problems, warnings };
  const kept = Object.entries(headers).filter(([header, value]) => {
    const isSessions = typeof value === "string" && value.includes("{{session_id}}");
    if (isSessions) warnings.push(`"headers.${header}" is not sent: only Grok has a session id`);
    return !isSessions;
  });
  return { raw: { ...entry, headers: Object.fromEntries(kept) }, problems, warnings };
}

/** A reading after the tools that the user switched off, by server. */
async function withoutTools(
  reading: SourceReading,
  context: SourceContext,
): Promise<SourceReading> {
  const document = await readConfigDocument(context, { path: userFile(context.machine) });
  if (document.state !== "loaded") return reading;
  const key = "disabled_mcp_tools";
  const off = valueAt(document.root, [key]);
  if (!isJsonObject(off)) return reading;
  const definitions = reading.definitions.map((definition): Definition => {
    const { name, config } = definition;
    const listed = Object.hasOwn(off, name) ? off[name] : undefined;
    const { names } = nameList(`${key}.${name}`, listed);
    if (names.length === 0) return definition;
    const disabledTools = [...new Set([...config.disabledTools ?? [], ...names])];
    return { ...definition, config: { ...config, disabledTools } };
  });
  return { ...reading, definitions };
}

import { dirname, join } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { Machine } from "../model/machine.ts";
import { factsOf } from "../platform/local_files.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { inHome, movedTo } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";
import { withListFiles } from "./listed_elsewhere.ts";
import type { SourceReading } from "./source.ts";

/** Where in its settings the names of servers that are off stand. */
const OFF: readonly string[] = ["disabledMcpServers"];

/** Servers of Copilot's command line. */
const FORMAT: HostFormat = {
  id: "copilot-cli",
  label: "Copilot CLI",
  rank: 30,
  dialect: "dollar-only",
  environment: "all",
  key: ["mcpServers"],
  rename: { tools: "enabledTools", excludeTools: "disabledTools", timeout: "callTimeout" },
  ignore: [
    "deferTools",
    "disableSecretMasking",
    "disableToolCache",
    "displayName",
    "events",
    "filterMapping",
    "headersRefreshTtlMs",
    "isDefaultServer",
    "notifications",
    "oidc",
    "safeForTelemetry",
    "slowConnectionThresholdMs",
  ],
  translate,
  spelling: {
    types: { stdio: "local", streamable_http: "http", sse: "sse" },
    keys: ["cwd", "callTimeout", "enabledTools", "disabledTools", "auth"],
    off: { kind: "list", path: OFF, file: ({ machine }) => settingsFile(machine) },
    // What it writes itself; early versions ask for the list.
    finish: (raw) => ({ raw: { ...raw, tools: raw["tools"] ?? ["*"] } }),
  },
};

/** A project's file, beside which a `.mcp.json` must not stand. */
const PROJECT_FILE = join(".github", "mcp.json");

/** Copilot's command line: the user's file, and the repository's own. */
export const copilotCli: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [join(folder(machine), "mcp-config.json")],
  projectFiles: [PROJECT_FILE],
  nearMisses: ({ machine }) => [{
    path: join(folder(machine), "mcp.json"),
    scope: "user",
    belongs: join(folder(machine), "mcp-config.json"),
  }],
  finish: (reading, context) =>
    withListFiles(withoutHidden(reading), context, FORMAT, [{
      path: settingsFile(context.machine),
      scope: "user",
      switches: [{ path: OFF, means: "off" }],
    }]),
});

/** The folder of its settings. */
function folder(machine: Machine): string {
  return movedTo(machine, "COPILOT_HOME") ?? inHome(machine, ".copilot");
}

/** Its settings, which hold no servers. */
function settingsFile(machine: Machine): string {
  return join(folder(machine), "settings.json");
}

/** In a folder with a `.mcp.json`, which is another source's, the other file is not read. */
function withoutHidden(reading: SourceReading): SourceReading {
  const hidden = new Set(
    reading.reports.filter(({ scope, path, state }) =>
      scope === "project" && state !== "absent" && factsOf(besides(path)) !== null
    ).map(({ path }) => path),
  );
  if (hidden.size === 0) return reading;
  return {
    ...reading,
    definitions: reading.definitions.filter(({ source }) => !hidden.has(source.path ?? "")),
    reports: reading.reports.map((report) =>
      hidden.has(report.path)
        ? { ...report, state: "off", servers: 0, warnings: [notRead(report.path)] }
        : report
    ),
  };
}

/** The `.mcp.json` of a project file's folder. */
function besides(path: string): string {
  return join(dirname(dirname(path)), ".mcp.json");
}

function notRead(path: string): string {
  return `Copilot CLI does not read "${path}", as "${besides(path)}" is there`;
}

/** Values of `env` that name a variable: such a value was the only way once, and still is one. */
const NAME = /^[A-Z][A-Z0-9_]*$/;

/** Rewrites what Copilot has its own words for. */
function translate(raw: JsonObject): TranslatedEntry {
  const { tools, env, ...others } = raw;
  const oauth: [string, JsonValue | undefined][] = [];
  const rest: [string, JsonValue | undefined][] = [];
  for (const [key, value] of Object.entries(others)) {
    const [, part] = /^oauth([A-Z]\w*)$/.exec(key) ?? [];
    if (part === undefined) rest.push([key, value]);
    else oauth.push([part.charAt(0).toLowerCase() + part.slice(1), value]);
  }
  const given = isJsonObject(others["oauth"]) ? others["oauth"] : {};
  const isAll = Array.isArray(tools) && tools.includes("*");
  return {
    raw: {
      ...Object.fromEntries(rest),
      ...(oauth.length === 0 ? {} : { oauth: { ...given, ...Object.fromEntries(oauth) } }),
      ...(isAll || tools === undefined ? {} : { tools }),
      ...(env === undefined ? {} : { env: isJsonObject(env) ? named(env) : env }),
    },
  };
}

/** Takes a value that is a variable's name for that variable's value, where it is set. */
function named(env: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(env).map(([key, value]) => [
      key,
      typeof value === "string" && NAME.test(value) ? `\${${value}:-${value}}` : value,
    ]),
  );
}

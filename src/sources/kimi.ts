import { join } from "node:path";
import type { ServerConfig } from "../model/definition.ts";
import type { Machine } from "../model/machine.ts";
import { asBearerVariable, withBearerVariable } from "./bearer_variable.ts";
import { readConfigDocument, valueAt } from "./config_document.ts";
import type { HostFormat } from "./host_format.ts";
import { inHome, movedTo } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";
import { sideReport } from "./reporter.ts";
import type { SourceContext, SourceReading } from "./source.ts";

/** Key of the variable that holds a bearer token. */
const TOKEN_KEY = "bearerTokenEnvVar";

/** Kimi Code's files. Their texts are literal; a token's variable has a key of its own. */
const FORMAT: HostFormat = {
  id: "kimi",
  label: "Kimi Code",
  rank: 30,
  dialect: "common",
  literal: true,
  environment: "all",
  key: ["mcpServers"],
  rename: { transport: "type", startupTimeoutMs: "startupTimeout", toolTimeoutMs: "callTimeout" },
  ignore: ["deferred", "executor", "runtime_id"],
  translate: (raw) => ({ raw: withBearerVariable(raw, TOKEN_KEY) }),
  spelling: {
    types: { stdio: null, streamable_http: null, sse: "sse" },
    typeKey: "transport",
    keys: ["cwd", "startupTimeout", "callTimeout", "enabledTools", "disabledTools", "auth"],
    off: { kind: "key", key: "enabled", off: false },
    finish: (raw) => ({ raw: asBearerVariable(raw, TOKEN_KEY) }),
  },
};

/** What is different in the file of its predecessor, which gives a process less. */
const OLDER: Partial<HostFormat> = { environment: "base" };

/** Kimi Code: `mcp.json` of the user and of the project, and the older file of Kimi CLI. */
export const kimi: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [
    join(homeOf(machine), "mcp.json"),
    { path: olderFile(machine), format: OLDER, written: false },
  ],
  projectFiles: [join(".kimi-code", "mcp.json")],
  finish: withDefaults,
});

/** Kimi Code's folder of settings. */
function homeOf(machine: Machine): string {
  return movedTo(machine, "KIMI_CODE_HOME") ?? inHome(machine, ".kimi-code");
}

/** The file of Kimi CLI, which Kimi Code replaces. */
function olderFile(machine: Machine): string {
  return join(movedTo(machine, "KIMI_SHARE_DIR") ?? inHome(machine, ".kimi"), "mcp.json");
}

/** Times that hold for every server without its own, each with the variable that overrides it. */
const DEFAULTS: readonly {
  readonly key: "startupTimeout" | "callTimeout";
  readonly setting: string;
  readonly variable: string;
}[] = [
  {
    key: "startupTimeout",
    setting: "startup_timeout_ms",
    variable: "KIMI_MCP_STARTUP_TIMEOUT_MS",
  },
  { key: "callTimeout", setting: "tool_timeout_ms", variable: "KIMI_MCP_TOOL_TIMEOUT_MS" },
];

/** A reading with the times of `[mcp]` in `config.toml`, and of the variables above them. */
async function withDefaults(
  reading: SourceReading,
  context: SourceContext,
): Promise<SourceReading> {
  const { machine } = context;
  const path = join(homeOf(machine), "config.toml");
  const document = await readConfigDocument(context, { path });
  const times: { -readonly [Key in "startupTimeout" | "callTimeout"]?: number } = {};
  for (const { key, setting, variable } of DEFAULTS) {
    const written = document.state === "loaded"
      ? valueAt(document.root, ["mcp", setting])
      : undefined;
    const time = milliseconds(Number(machine.env[variable]?.trim() || NaN)) ??
      milliseconds(written);
    if (time !== null) times[key] = time;
  }
  const older = olderFile(machine);
  const definitions = reading.definitions.map((definition) => {
    if (definition.source.path === older) return definition;
    const config: ServerConfig = { ...times, ...definition.config };
    return { ...definition, config };
  });
  const until = "none of its times counts";
  const reports = [...reading.reports, sideReport(FORMAT, document, "user", { until })];
  return { ...reading, definitions, reports };
}

/** A whole number of milliseconds that a timer can keep; `null` for anything else. */
function milliseconds(value: unknown): number | null {
  const isTime = typeof value === "number" && Number.isInteger(value) && value >= 1 &&
    value <= 2_147_483_647;
  return isTime ? value : null;
}

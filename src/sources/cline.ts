import { join } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { Machine } from "../model/machine.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { extensionFiles, inHome, movedTo } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";

/** Cline's settings, of the extension; the command line's hold no placeholders. */
const FORMAT: HostFormat = {
  id: "cline",
  label: "Cline",
  rank: 45,
  dialect: "env-colon",
  environment: "base",
  key: ["mcpServers"],
  ignore: ["metadata", "remoteConfigured"],
  translate,
  spelling: {
    types: { stdio: null, streamable_http: "streamableHttp", sse: "sse" },
    keys: ["cwd", "callTimeout", "autoApprove"],
    off: { kind: "key", key: "disabled", off: true },
    finish: ({ callTimeout, ...rest }) => ({
      raw: typeof callTimeout === "number" ? { ...rest, timeout: limit(callTimeout / 1000) } : rest,
    }),
  },
};

/** Name of the settings file, the same everywhere. */
const FILE = "cline_mcp_settings.json";

/** Cline: the file of its command line, then that of the extension in each editor. */
export const cline: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [
    { path: commandLineFile(machine), format: { dialect: "literal" } },
    ...extensionFiles(machine, "saoudrizwan.claude-dev", ["settings", FILE]),
  ],
});

/** The command line's file: named outright, or in a data folder that can be moved. */
function commandLineFile(machine: Machine): string {
  const named = movedTo(machine, "CLINE_MCP_SETTINGS_PATH");
  if (named !== null) return named;
  const folder = movedTo(machine, "CLINE_DIR") ?? inHome(machine, ".cline");
  return join(movedTo(machine, "CLINE_DATA_DIR") ?? join(folder, "data"), "settings", FILE);
}

/** Keys of Cline's that are rewritten, or, like `oauth` with the tokens of its login, left out. */
const REWRITTEN: ReadonlySet<string> = new Set([
  "oauth",
  "oauthClient",
  "timeout",
  "transport",
  "transportType",
  "type",
]);

/**
 * Flattens the nested form, in which `transport` holds what concerns the transport; it wins over
 * flat keys. An old entry that has a `url` and no type means SSE.
 */
function translate(raw: JsonObject): TranslatedEntry {
  const transport = raw["transport"];
  const nested = isJsonObject(transport) ? transport : {};
  const flat = { ...raw, ...nested };
  const written = nested["type"] ?? raw["type"] ?? raw["transportType"] ??
    (typeof transport === "string" ? transport : undefined);
  const type = written ?? (flat["command"] === undefined && flat["url"] ? "sse" : undefined);
  const callTimeout = callMilliseconds(raw["timeout"]);
  const entries = Object.entries(flat).filter(([key]) => !REWRITTEN.has(key));
  const added: Readonly<Record<string, JsonValue | undefined>> = {
    type,
    callTimeout,
    oauth: raw["oauthClient"],
  };
  entries.push(...Object.entries(added).filter(([, value]) => value !== undefined));
  return { raw: Object.fromEntries(entries) };
}

/** Seconds from 1 to 3600, as milliseconds; what is no number is ignored, as Cline does. */
function callMilliseconds(seconds: unknown): number | undefined {
  if (typeof seconds !== "number" || Number.isNaN(seconds)) return undefined;
  return limit(seconds) * 1000;
}

/** The limit that Cline takes for one of so many seconds. */
function limit(seconds: number): number {
  return Math.min(Math.max(seconds, 1), 3600);
}

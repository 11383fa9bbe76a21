import { isAbsolute, join } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import { extensionFiles } from "./application_folders.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { readServerFile } from "./server_file.ts";
import type { Source, SourceContext, SourceReading } from "./source.ts";
import { joinReadings } from "./source_reading.ts";

/** Cline's settings, of the command line and of the extension. */
const FORMAT: HostFormat = {
  id: "cline",
  label: "Cline",
  rank: 45,
  dialect: "env-colon",
  environment: "base",
  key: ["mcpServers"],
  ignore: ["metadata", "remoteConfigured"],
  translate,
};

/** Name of the settings file, the same everywhere. */
const FILE = "cline_mcp_settings.json";

/** Cline: the file of its command line, then that of the extension in each editor. */
export const cline: Source = {
  id: FORMAT.id,
  label: FORMAT.label,
  userFiles,
  async read(context): Promise<SourceReading> {
    const files = userFiles(context);
    return joinReadings(
      await Promise.all(
        files.map((path) => readServerFile(context, FORMAT, { path, scope: "user" })),
      ),
    );
  },
};

/** Every settings file, there or not. */
function userFiles({ machine }: SourceContext): readonly string[] {
  const extension = extensionFiles(machine, "saoudrizwan.claude-dev", ["settings", FILE]);
  return [commandLineFile(machine), ...extension];
}

/**
 * The command line's file: named outright, or in a data folder that can be moved. Relative paths
 * do not count: they would make a file of whatever folder one is in the user's own.
 */
function commandLineFile({ env, home }: SourceContext["machine"]): string {
  const moved = (variable: string): string | null => {
    const path = env[variable]?.trim() ?? "";
    return isAbsolute(path) ? path : null;
  };
  const named = moved("CLINE_MCP_SETTINGS_PATH");
  if (named !== null) return named;
  const data = moved("CLINE_DATA_DIR") ?? join(moved("CLINE_DIR") ?? join(home, ".cline"), "data");
  return join(data, "settings", FILE);
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
  return Math.min(Math.max(seconds, 1), 3600) * 1000;
}

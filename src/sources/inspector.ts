import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { inHome, movedTo } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";

/** The Inspector's list of servers. */
const FORMAT: HostFormat = {
  id: "inspector",
  label: "MCP Inspector",
  rank: 30,
  dialect: "literal",
  environment: "base",
  key: ["mcpServers"],
  rename: {
    connectionTimeout: "startupTimeout",
    protocolEra: "protocol",
    requestTimeout: "callTimeout",
  },
  ignore: [
    "advertisedExtensions",
    "autoRefreshOnListChanged",
    "eventSourceInit",
    "maxFetchRequests",
    "metadata",
    "modernLogLevel",
    "paginatedLists",
    "roots",
    "settings",
    "taskTtl",
  ],
  translate,
  spelling: {
    types: { stdio: "stdio", streamable_http: "streamable-http", sse: "sse" },
    keys: ["cwd", "startupTimeout", "callTimeout", "protocol", "oauth"],
    finish: (raw) => ({ raw: withEra(raw, "2026-07-28", "modern") }),
  },
};

/** MCP Inspector: the user's list. */
export const inspector: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [
    movedTo(machine, "MCP_CATALOG_PATH") ?? inHome(machine, ".mcp-inspector", "mcp.json"),
  ],
});

/** Takes the headers out of the options of a request, where they stood once. */
function translate(raw: JsonObject): TranslatedEntry {
  const { requestInit, ...rest } = raw;
  const nested = isJsonObject(requestInit) ? requestInit["headers"] : undefined;
  const headers = rest["headers"] ?? nested;
  const entry = headers === undefined ? rest : { ...rest, headers };
  return { raw: withEra(entry, "modern", "2026-07-28") };
}

/** The entry with one word for the newest protocol in place of another. */
function withEra(entry: JsonObject, from: JsonValue, to: JsonValue): JsonObject {
  return entry["protocolEra"] === from ? { ...entry, protocolEra: to } : entry;
}

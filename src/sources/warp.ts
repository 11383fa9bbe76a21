import type { JsonObject } from "../model/json.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { inHome } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";

/** Warp's files, and the one that it shares with agents that have no file of their own. */
const FORMAT: HostFormat = {
  id: "warp",
  label: "Warp",
  rank: 30,
  dialect: "braces",
  environment: "all",
  key: ["mcpServers"],
  rename: { working_directory: "cwd" },
  translate,
  spelling: {
    types: { stdio: null, streamable_http: null, sse: null },
    keys: ["cwd", "description"],
  },
};

/** Warp: `.warp/.mcp.json` and `.agents/.mcp.json` of the project and of the user. */
export const warp: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [
    inHome(machine, ".warp", ".mcp.json"),
    inHome(machine, ".agents", ".mcp.json"),
  ],
  projectFiles: [".warp/.mcp.json", ".agents/.mcp.json"],
});

/** Takes the other name that Warp has for `url`. */
function translate({ serverUrl, ...rest }: JsonObject): TranslatedEntry {
  return { raw: serverUrl === undefined ? rest : { url: serverUrl, ...rest } };
}

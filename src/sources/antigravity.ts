import { join } from "node:path";
import { accountProblems } from "./gemini_entry.ts";
import type { HostFormat } from "./host_format.ts";
import { inHome } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";

/** Antigravity's files. Nothing says which placeholders they may hold, so the usual ones are read. */
const FORMAT: HostFormat = {
  id: "antigravity",
  label: "Antigravity",
  rank: 30,
  dialect: "common",
  environment: "base",
  key: ["mcpServers"],
  rename: { serverUrl: "url" },
  ignore: ["authProviderType"],
  translate: (raw) => ({ raw, problems: accountProblems(raw, "Antigravity") }),
  spelling: {
    types: { stdio: null, streamable_http: null },
    keys: ["disabledTools", "oauth"],
    off: { kind: "key", key: "disabled", off: true },
  },
};

/**
 * Antigravity, the editor and the command line: `.agents/mcp_config.json` of the project, then the
 * user's file in the folder that both share, then those of older versions.
 */
export const antigravity: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [
    inHome(machine, ".gemini", "config", "mcp_config.json"),
    { path: inHome(machine, ".gemini", "antigravity", "mcp_config.json"), written: false },
    { path: inHome(machine, ".gemini", "antigravity-cli", "mcp_config.json"), written: false },
  ],
  projectFiles: [join(".agents", "mcp_config.json")],
});

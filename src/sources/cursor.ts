import type { HostFormat } from "./host_format.ts";
import { inHome } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";

/** Cursor's files. */
const FORMAT: HostFormat = {
  id: "cursor",
  label: "Cursor",
  rank: 50,
  dialect: "env-colon",
  environment: "all",
  key: ["mcpServers"],
  spelling: {
    types: { stdio: null, streamable_http: null, sse: "sse" },
    keys: ["envFile", "auth"],
  },
};

/** Cursor: `.cursor/mcp.json` of the project and of the user. */
export const cursor: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [inHome(machine, ".cursor", "mcp.json")],
  projectFiles: [".cursor/mcp.json"],
  nearMisses: ({ workspacePath, machine }) => [
    {
      path: `${workspacePath}/.cursor/mcp.config.json`,
      scope: "project",
      belongs: ".cursor/mcp.json",
    },
    { path: `${workspacePath}/cursor/mcp.json`, scope: "project", belongs: ".cursor/mcp.json" },
    {
      path: inHome(machine, ".cursor", "settings.json"),
      scope: "user",
      belongs: "~/.cursor/mcp.json",
    },
  ],
});

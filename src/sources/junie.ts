import { join } from "node:path";
import type { HostFormat } from "./host_format.ts";
import { inHome, movedTo } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";

/** Junie's files. Which placeholders it knows is not told. */
const FORMAT: HostFormat = {
  id: "junie",
  label: "Junie",
  rank: 30,
  dialect: "common",
  environment: "base",
  key: ["mcpServers"],
  spelling: { types: { stdio: null, streamable_http: null, sse: null } },
};

/** Name of the file below Junie's folder, of a project as of the user. */
const FILE = join("mcp", "mcp.json");

/** Junie: `.junie/mcp/mcp.json` of the project and of the user. */
export const junie: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [join(movedTo(machine, "JUNIE_HOME") ?? inHome(machine, ".junie"), FILE)],
  projectFiles: [join(".junie", FILE)],
  nearMisses: ({ machine, workspacePath }) => [
    {
      path: inHome(machine, ".junie", "mcp.json"),
      scope: "user",
      belongs: "~/.junie/mcp/mcp.json",
    },
    {
      path: join(workspacePath, ".junie", "mcp.json"),
      scope: "project",
      belongs: ".junie/mcp/mcp.json",
    },
  ],
});

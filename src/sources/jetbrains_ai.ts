import type { HostFormat } from "./host_format.ts";
import { inHome } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";

/**
 * The files of JetBrains' AI Assistant. Nothing of its own confirms them: the paths are those that
 * other programs write. Which placeholders it knows is not told either.
 */
const FORMAT: HostFormat = {
  id: "jetbrains-ai",
  label: "JetBrains AI Assistant",
  rank: 30,
  dialect: "common",
  environment: "base",
  confirmed: false,
  key: ["mcpServers"],
  spelling: { types: { stdio: null, streamable_http: null, sse: null } },
};

/** JetBrains' AI Assistant: `.ai/mcp/mcp.json` of the project and of the user. */
export const jetbrainsAi: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [inHome(machine, ".ai", "mcp", "mcp.json")],
  projectFiles: [".ai/mcp/mcp.json"],
});

import { withoutEmptyTools } from "./empty_tools.ts";
import type { HostFormat } from "./host_format.ts";
import { inHome } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";

/** The files of mcp-cli. */
const FORMAT: HostFormat = {
  id: "mcp-cli",
  label: "mcp-cli",
  rank: 30,
  dialect: "braces",
  environment: "all",
  key: ["mcpServers"],
  rename: { allowedTools: "enabledTools" },
  translate: (raw) => ({ raw: withoutEmptyTools(raw, "allowedTools") }),
  spelling: {
    types: { stdio: null, streamable_http: null },
    keys: ["cwd", "enabledTools", "disabledTools"],
  },
};

/** mcp-cli: `mcp_servers.json` of the project, then two of the user. */
export const mcpCli: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [
    inHome(machine, ".mcp_servers.json"),
    inHome(machine, ".config", "mcp", "mcp_servers.json"),
  ],
  projectFiles: ["mcp_servers.json"],
});

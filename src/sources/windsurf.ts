import { join } from "node:path";
import type { HostFormat } from "./host_format.ts";
import { inHome } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";

/** Windsurf's files. They have no word for the transport of a remote server: it tries both. */
const FORMAT: HostFormat = {
  id: "windsurf",
  label: "Windsurf",
  rank: 50,
  dialect: "env-file-colon",
  environment: "base",
  key: ["mcpServers"],
  rename: { serverUrl: "url" },
  spelling: {
    types: { stdio: null, streamable_http: null, sse: null },
    keys: ["disabledTools"],
    off: { kind: "key", key: "disabled", off: true },
  },
};

/** Windsurf: the file of the editor, that of its next version, that of its plugins. */
export const windsurf: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [
    inHome(machine, ".codeium", "windsurf", "mcp_config.json"),
    inHome(machine, ".codeium", "windsurf-next", "mcp_config.json"),
    inHome(machine, ".codeium", "mcp_config.json"),
  ],
  nearMisses: ({ machine, workspacePath }) => {
    const belongs = inHome(machine, ".codeium", "windsurf", "mcp_config.json");
    const own = inHome(machine, ".windsurf", "mcp_config.json");
    const inProject = join(workspacePath, ".windsurf", "mcp_config.json");
    return [
      { path: own, scope: "user", belongs },
      ...(inProject === own ? [] : [{ path: inProject, scope: "project", belongs } as const]),
    ];
  },
});

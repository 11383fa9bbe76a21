import { join } from "node:path";
import type { HostFormat } from "./host_format.ts";
import { inHome, movedTo } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";

/**
 * The file that Kiro's editor and its command line share. The editor expands `${V}`, the command
 * line `${env:V}`; the command line, which was Amazon Q's, passes its whole environment on and
 * limits each request.
 */
const FORMAT: HostFormat = {
  id: "kiro",
  label: "Kiro",
  rank: 30,
  dialect: "braces",
  environment: "all",
  key: ["mcpServers"],
  rename: { timeout: "callTimeout" },
  ignore: ["oauthScopes"],
  spelling: {
    types: { stdio: null, streamable_http: null, sse: null },
    keys: ["callTimeout", "disabledTools", "autoApprove"],
    off: { kind: "key", key: "disabled", off: true },
  },
};

/** Name of the file below Kiro's folder, of a project as of the user. */
const FILE = join("settings", "mcp.json");

/** Kiro: `.kiro/settings/mcp.json` of the project and of the user. */
export const kiro: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [join(movedTo(machine, "KIRO_HOME") ?? inHome(machine, ".kiro"), FILE)],
  projectFiles: [join(".kiro", FILE)],
  nearMisses: ({ machine, workspacePath }) => [
    {
      path: inHome(machine, ".kiro", "mcp.json"),
      scope: "user",
      belongs: "~/.kiro/settings/mcp.json",
    },
    {
      path: join(workspacePath, ".kiro", "mcp.json"),
      scope: "project",
      belongs: ".kiro/settings/mcp.json",
    },
  ],
});

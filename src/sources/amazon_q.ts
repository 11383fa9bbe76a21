import { join } from "node:path";
import { agentFiles, agentFolders, ofDefaultAgent } from "./amazon_q_agents.ts";
import type { HostFormat } from "./host_format.ts";
import { inHome } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";

/** Amazon Q's files, of its command line and of the editors' plugins. */
const FORMAT: HostFormat = {
  id: "amazon-q",
  label: "Amazon Q",
  rank: 30,
  dialect: "env-colon",
  environment: "all",
  key: ["mcpServers"],
  rename: { initializationTimeout: "startupTimeout", timeout: "callTimeout" },
  ignore: ["oauthScopes"],
  spelling: {
    types: { stdio: null, streamable_http: "http" },
    keys: ["startupTimeout", "callTimeout"],
    off: { kind: "key", key: "disabled", off: true },
  },
};

/** The one agent that the editors' plugins have. */
const EDITOR_AGENT = join("agents", "default.json");

/** Amazon Q: `mcp.json` of the project and of the user, and the servers of the default agent. */
export const amazonQ: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [inHome(machine, ".aws", "amazonq", "mcp.json")],
  foundFiles: (context) => [
    {
      path: inHome(context.machine, ".aws", "amazonq", EDITOR_AGENT),
      format: { shared: true },
    },
    ...agentFiles(context),
  ],
  projectFiles: [
    join(".amazonq", "mcp.json"),
    { path: join(".amazonq", EDITOR_AGENT), format: { shared: true } },
  ],
  folders: agentFolders,
  finish: (reading, context) => ofDefaultAgent(reading, context, FORMAT),
});

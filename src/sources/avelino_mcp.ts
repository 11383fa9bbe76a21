import { join } from "node:path";
import type { Machine } from "../model/machine.ts";
import type { HostFormat } from "./host_format.ts";
import { inHome, movedTo } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";
import { inlineMiss } from "./near_miss.ts";

/** The file of avelino/mcp, which can also wrap programs that are no servers. */
const FORMAT: HostFormat = {
  id: "avelino-mcp",
  label: "avelino/mcp",
  rank: 30,
  dialect: "braces",
  environment: "all",
  key: ["mcpServers"],
  ignore: ["idle_timeout", "max_idle_timeout", "min_idle_timeout", "tool_acl"],
  translate: (raw) => ({ raw, skip: raw["cli"] === true }),
  spelling: { types: { stdio: null, streamable_http: null } },
};

/**
 * avelino/mcp: `servers.json` of the user. What `MCP_SERVERS_CONFIG` holds is no file and is not
 * read, which is told.
 */
export const avelinoMcp: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [serversFile(machine)],
  finish: (reading, { machine }) => {
    const inline = inlineMiss(machine, FORMAT, {
      variable: "MCP_SERVERS_CONFIG",
      key: "mcpServers",
      belongs: serversFile(machine),
    });
    return { ...reading, reports: [...reading.reports, ...inline] };
  },
});

function serversFile(machine: Machine): string {
  return movedTo(machine, "MCP_CONFIG_PATH") ?? join(folder(machine), "servers.json");
}

function folder(machine: Machine): string {
  return movedTo(machine, "MCP_CONFIG_DIR") ?? inHome(machine, ".config", "mcp");
}

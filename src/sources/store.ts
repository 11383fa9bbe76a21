import { join } from "node:path";
import { CANONICAL_SPELLING } from "./canonical_spelling.ts";
import type { HostFormat } from "./host_format.ts";
import type { HostSource } from "./host_writer.ts";
import { nearMisses } from "./near_miss.ts";
import { readServerFile } from "./server_file.ts";
import type { SourceContext, SourceReading } from "./source.ts";
import { readSwitches } from "./switches_file.ts";

/** Hotplug's own files: definitions for the whole machine, switches for one workspace. */
const FORMAT: HostFormat = {
  id: "store",
  label: "Hotplug store",
  rank: 100,
  dialect: "hotplug",
  environment: "base",
  store: true,
  key: ["mcpServers"],
  spelling: CANONICAL_SPELLING,
};

/** Path of the store, there or not. */
export function storePath(context: Pick<SourceContext, "folders">): string {
  return join(context.folders.config, "mcp.json");
}

/** Path of the workspace's switches, there or not. They stand at the root alone. */
export function workspaceConfigPath(context: Pick<SourceContext, "workspacePath">): string {
  return join(context.workspacePath, ".hotplug", "workspace.json");
}

/** The store, and the switches by which a workspace enables its servers. */
export const store: HostSource = {
  id: FORMAT.id,
  label: FORMAT.label,
  userFiles: (context) => [storePath(context)],
  writer: {
    format: FORMAT,
    fileFor: (context, scope) => scope === "user" ? { path: storePath(context) } : null,
  },
  async read(context): Promise<SourceReading> {
    const [servers, switches, misses] = await Promise.all([
      readServerFile(context, FORMAT, { path: storePath(context), scope: "user" }),
      readSwitches(context, FORMAT, {
        path: workspaceConfigPath(context),
        governs: ["store", "ai4j"],
        enabledKey: "enabledMcpServers",
        disabledKey: "disabledMcpServers",
      }),
      nearMisses(context, FORMAT, [{
        path: join(context.workspacePath, ".hotplug", "mcp.json"),
        scope: "project",
        belongs: join(context.workspacePath, ".mcp.json"),
      }, {
        path: join(context.folders.config, "settings.json"),
        scope: "user",
        belongs: storePath(context),
      }]),
    ]);
    return {
      definitions: servers.definitions,
      reports: [...servers.reports, ...switches.reports, ...misses],
      switches: switches.switches,
    };
  },
};

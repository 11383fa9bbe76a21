import type { ServerConfig } from "../../src/model/definition.ts";
import type { LoadedConfigs, PlannedServer } from "../../src/model/plan.ts";
import type { SourceInfo } from "../../src/model/source.ts";
import type { MCPManager } from "../../src/runtime/manager.ts";
import { inHome, type ManagerWorld } from "./running_manager.ts";

/** What discovery would give for servers of one file of the user's. */
export function loadedFrom(
  world: ManagerWorld,
  servers: Readonly<Record<string, ServerConfig>>,
): LoadedConfigs {
  const source: SourceInfo = {
    id: "test",
    label: "Test",
    scope: "user",
    path: `${world.home}/test.json`,
    line: null,
    rank: 1,
    dialect: "hotplug",
    environment: "base",
    store: false,
  };
  const configs = inHome(world, servers);
  const rows = Object.entries(configs).map(([name, config]): PlannedServer => ({
    name,
    definition: { name, config, source, problems: [], warnings: [] },
    launch: config,
    verdict: { state: "run" },
    workspace: "enabled",
    others: [],
    warnings: [],
  }));
  return {
    configs,
    sources: Object.fromEntries(Object.keys(configs).map((name) => [name, source])),
    exaApiKeys: [],
    plan: {
      workspacePath: world.project,
      store: `${world.home}/store.json`,
      workspaceConfig: `${world.project}/.hotplug/workspace.json`,
      servers: rows,
      sources: [],
    },
  };
}

/** Connects to what was loaded, as a host's start does. */
export async function connectLoaded(
  manager: MCPManager,
  { configs, sources, plan }: LoadedConfigs,
): Promise<void> {
  await manager.connectServers(configs, sources, { plan });
}

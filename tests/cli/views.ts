import type { Plan, PlannedServer } from "../../src/model/plan.ts";
import type { ServerView } from "../../src/model/server_view.ts";
import type { SourceInfo, SourceReport } from "../../src/model/source.ts";
import type { ToolInfo } from "../../src/model/listing.ts";
import type { JsonObject } from "../../src/model/json.ts";

/** A row with what a test does not care about filled in. */
export function row(view: Partial<ServerView> & { readonly name: string }): ServerView {
  return {
    type: "stdio",
    transport: null,
    state: "disconnected",
    since: null,
    workspace: "enabled",
    paused: false,
    tools: null,
    resources: null,
    prompts: null,
    source: { id: "mcp-json", label: ".mcp.json", scope: "project", path: "/w/.mcp.json", line: 3 },
    others: [],
    server: null,
    protocol: null,
    pid: null,
    elapsedMs: null,
    cachedAgeMs: null,
    attempt: null,
    nextAttemptAt: null,
    error: null,
    warnings: [],
    ...view,
  };
}

/** Where a definition of a test stands. */
export const SOURCE: SourceInfo = {
  id: "mcp-json",
  label: ".mcp.json",
  scope: "project",
  path: "/w/.mcp.json",
  line: 3,
  rank: 80,
  dialect: "hotplug",
  environment: "safe",
  store: false,
};

/** A planned server that runs, unless a test says otherwise. */
export function planned(
  server: Partial<PlannedServer> & { readonly name: string },
): PlannedServer {
  const config = { type: "stdio", command: "program" } as const;
  return {
    definition: { name: server.name, config, source: SOURCE, problems: [], warnings: [] },
    launch: config,
    verdict: { state: "run" },
    workspace: "enabled",
    others: [],
    warnings: [],
    ...server,
  };
}

/** A plan of some servers and sources. */
export function plan(
  servers: readonly PlannedServer[],
  sources: readonly SourceReport[] = [],
): Plan {
  return {
    workspacePath: "/w",
    store: "/h/.config/hotplug/mcp.json",
    workspaceConfig: "/w/.hotplug/workspace.json",
    servers,
    sources,
  };
}

/** A path that was looked at. */
export function report(one: Partial<SourceReport>): SourceReport {
  return {
    id: "mcp-json",
    label: ".mcp.json",
    scope: "project",
    path: "/w/.mcp.json",
    state: "loaded",
    servers: 1,
    error: null,
    warnings: [],
    ...one,
  };
}

/** A tool with a schema. */
export function tool(name: string, inputSchema: JsonObject = { type: "object" }): ToolInfo {
  return {
    name,
    title: null,
    description: "",
    inputSchema,
    outputSchema: null,
    annotations: null,
    raw: { name },
  };
}

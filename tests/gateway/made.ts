import {
  emptySession,
  type GatewayList,
  type GatewaySession,
} from "../../src/gateway/gateway_session.ts";
import { LoopGuard } from "../../src/gateway/loop_guard.ts";
import { HotplugError } from "../../src/model/errors.ts";
import type { HostProfile } from "../../src/model/host_profile.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { ListedItem } from "../../src/model/listing.ts";
import type { ServerView } from "../../src/model/server_view.ts";
import { plannedView } from "../../src/model/server_view.ts";
import type { Tool } from "../../src/model/tool.ts";

/** A row with what a test cares about. */
export function view(name: string, more: Partial<ServerView> = {}): ServerView {
  const planned = plannedView({
    name,
    definition: null,
    launch: null,
    verdict: { state: "run" },
    workspace: "enabled",
    others: [],
    warnings: [],
  });
  return { ...planned, ...more };
}

/** What one made server lists. */
export type MadeLists = Readonly<Partial<Record<GatewayList, readonly ListedItem[]>>>;

/** A session whose connected servers list this, in this order. */
export function sessionWith(servers: readonly (readonly [string, MadeLists])[]): GatewaySession {
  const lists = new Map(servers);
  return {
    ...emptySession(new HotplugError("discovery-failed", "Nothing").toInfo()),
    failure: null,
    servers: () => servers.map(([name]) => view(name, { state: "connected" })),
    listed: (server, kind) => lists.get(server)?.[kind] ?? [],
  };
}

/** Items of a list, by their keys. */
export function itemsOf(kind: GatewayList, ...keys: readonly string[]): readonly ListedItem[] {
  const field = { resources: "uri", resourceTemplates: "uriTemplate", prompts: "name" }[kind];
  return keys.map((key) => ({ key, name: key, description: "", raw: { [field]: key, name: key } }));
}

/** A tool whose server lists it as `raw`. */
export function toolOf(server: string, raw: JsonObject): Tool {
  const name = String(raw["name"]);
  const { inputSchema, description } = raw;
  const schema = (inputSchema ?? { type: "object", properties: {} }) as JsonObject;
  const text = typeof description === "string" ? description : "";
  return {
    name: `${server}_${name}`,
    label: name,
    description: text,
    parameters: schema,
    server,
    path: `mcp:${server}`,
    info: {
      name,
      title: null,
      description: text,
      inputSchema: schema,
      outputSchema: null,
      annotations: null,
      raw,
    },
    autoApprove: false,
    execute: () => Promise.reject(new Error("not called")),
  };
}

/** A kind of host with what a test cares about. */
export function profileOf(more: Partial<HostProfile> = {}): HostProfile {
  return {
    id: "some",
    label: "Some host",
    loads: [],
    refreshes: true,
    asksAgain: "at-once",
    toolMeta: null,
    naming: "server",
    ...more,
  };
}

/** What keeps a gateway from being a server of itself, in a process that nobody has started. */
export function noLoops(): LoopGuard {
  return new LoopGuard({ env: {}, workspacePath: null });
}

import assert from "node:assert/strict";
import { join } from "node:path";
import type { JsonObject } from "../../src/model/json.ts";
import { fromRepository } from "../harness/repository.ts";
import { type Agent, HAS_AGENTS, installed } from "./agents.ts";

/** The SDK of the Agent Client Protocol: its v1, the unstable parts of it, and the draft of v2. */
const AGENT: Agent = {
  name: "acp-sdk",
  version: "2.4.0",
  packages: ["@agentclientprotocol/sdk@2.4.0", "zod@4.6.7"],
  command: ["node", "@agentclientprotocol/sdk/dist"],
};

/** The examples of the protocol's page on the setup of sessions, one of each transport. */
const STDIO = {
  name: "filesystem",
  command: "/path/to/mcp-server",
  args: ["--stdio"],
  env: [{ name: "API_KEY", value: "secret123" }],
};
const HTTP = {
  type: "http",
  name: "api-server",
  url: "https://api.example.com/mcp",
  headers: [
    { name: "Authorization", value: "Bearer token123" },
    { name: "Content-Type", value: "application/json" },
  ],
};
const SSE = {
  type: "sse",
  name: "event-stream",
  url: "https://events.example.com/mcp",
  headers: [{ name: "X-API-Key", value: "apikey456" }],
};

/** What becomes of them. */
const FILESYSTEM = {
  type: "stdio",
  command: "/path/to/mcp-server",
  args: ["--stdio"],
  env: { API_KEY: "secret123" },
};
const API_SERVER = {
  type: "streamable_http",
  url: "https://api.example.com/mcp",
  headers: { "Authorization": "Bearer token123", "Content-Type": "application/json" },
};
const EVENT_STREAM = {
  type: "sse",
  url: "https://events.example.com/mcp",
  headers: { "X-API-Key": "apikey456" },
};

acpTest("the servers of v1 arrive as they were sent, whichever request opens the session (A9)", {
  entry: "v1/stable",
  requests: [
    ["session/new", { mcpServers: [STDIO, HTTP, SSE] }],
    ["session/load", { mcpServers: [SSE, { ...STDIO, _meta: { "editor.example/id": 1 } }] }],
    ["session/resume", { mcpServers: [HTTP] }],
    ["session/resume", {}],
    ["session/new", { mcpServers: [] }],
  ],
  seen: [
    [["filesystem", FILESYSTEM], ["api-server", API_SERVER], ["event-stream", EVENT_STREAM]],
    [["event-stream", EVENT_STREAM], ["filesystem", FILESYSTEM]],
    [["api-server", API_SERVER]],
    null,
    [],
  ],
});

acpTest("a server over the client's own connection is an error of its own (A9)", {
  entry: "v1/unstable",
  requests: [["session/new", {
    mcpServers: [{ type: "acp", name: "inside", serverId: "1" }, STDIO],
  }]],
  seen: [[
    [
      "inside",
      "Cannot reach this server: the client offers it over its own ACP connection alone",
    ],
    ["filesystem", FILESYSTEM],
  ]],
});

acpTest("the draft of v2 is understood, and a transport that nobody knows costs no other (A9)", {
  entry: "v2/stable",
  requests: [
    ["session/new", {
      mcpServers: [
        { type: "stdio", ...STDIO },
        { type: "stdio", name: "bare", command: "/bin/mcp" },
        { type: "http", name: "open", url: "https://api.example.com/mcp" },
        { type: "_carrier", name: "pigeon", loft: 7 },
      ],
    }],
    ["session/resume", { mcpServers: [HTTP] }],
    ["session/resume", {}],
  ],
  seen: [
    [
      ["filesystem", FILESYSTEM],
      ["bare", { type: "stdio", command: "/bin/mcp" }],
      ["open", { type: "streamable_http", url: "https://api.example.com/mcp" }],
      ["pigeon", 'Cannot reach this server: its transport "_carrier" is not known'],
    ],
    [["api-server", API_SERVER]],
    null,
  ],
});

/** What one session shows: of each server its name, and its config or why there is none. */
type Shown = readonly (readonly [name: string, config: JsonObject | string])[] | null;

/** A client of the protocol's own SDK opens sessions at an agent of the same SDK. */
function acpTest(
  name: string,
  { entry, requests, seen }: {
    readonly entry: string;
    readonly requests: readonly (readonly [method: string, params: JsonObject])[];
    readonly seen: readonly Shown[];
  },
): void {
  Deno.test({
    name,
    ignore: !HAS_AGENTS,
    fn: async () => {
      const { command: [node, folder = ""] } = await installed(AGENT);
      const script = fromRepository("tests/hosts/programs/acp_session.ts");
      const { success, stdout, stderr } = await new Deno.Command(node, {
        args: [script, join(folder, entry, "acp.js"), JSON.stringify(requests)],
      }).output();
      assert.ok(success, new TextDecoder().decode(stderr));
      const found = JSON.parse(new TextDecoder().decode(stdout)) as readonly Session[];
      assert.deepEqual(found.map(shown), seen);
    },
  });
}

/** The servers of a session as the agent found them. */
type Session =
  | readonly {
    readonly name: string;
    readonly config: JsonObject;
    readonly problems: readonly string[];
    readonly warnings: readonly string[];
  }[]
  | null;

function shown(session: Session): Shown {
  return session?.map(({ name, config, problems, warnings }) => {
    assert.deepEqual(warnings, []);
    return [name, problems[0] ?? config];
  }) ?? null;
}

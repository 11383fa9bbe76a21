import assert from "node:assert/strict";
import type { MCPServerConnection } from "../../src/model/connection.ts";
import type { ServerConfig } from "../../src/model/definition.ts";
import type { ServerLog } from "../../src/model/server_log.ts";
import { LastingWishes } from "../../src/runtime/lasting_wishes.ts";
import type { MCPManager } from "../../src/runtime/manager.ts";
import { ServerRequests } from "../../src/runtime/server_requests.ts";
import { fromRepository } from "../harness/repository.ts";
import { sdkServer, trap } from "../harness/servers.ts";
import { withBench } from "../connection/harness.ts";
import { toolNamed } from "../connection/tool_named.ts";
import { callTool } from "../../src/connection/calls.ts";
import { inHome, withManager } from "./running_manager.ts";

/** The server that asks its client for things. */
function asking(): ServerConfig {
  const { args, ...rest } = sdkServer("legacy");
  const script = fromRepository("tests/connection/servers/asking_legacy.ts");
  return { ...rest, args: [...args.slice(0, -1), script] };
}

async function said(
  connection: MCPServerConnection | undefined,
  tool: string,
  args = {},
): Promise<string> {
  assert.ok(connection !== undefined);
  return String((await callTool(connection, toolNamed(tool), args)).content[0]?.["text"]);
}

withManager(
  "a manager's handlers answer its servers, and its listeners hear them",
  async (world) => {
    const logs: ServerLog[] = [];
    const updated: string[] = [];
    const manager: MCPManager = world.manager({
      handlers: { roots: ({ server }) => [{ uri: `file:///${server}` }] },
      onServerLog: (log) => logs.push(log),
      serverLogLevel: "debug",
      onResourceUpdated: (server, uri) => updated.push(`${server} ${uri}`),
    });
    await manager.connectServers(inHome(world, { ask: asking() }));
    const connection = manager.getConnection("ask");
    const roots = await said(connection, "ask", { method: "roots/list" });
    assert.deepEqual(JSON.parse(roots), { roots: [{ uri: "file:///ask" }] });
    await connection?.subscribe("note://a");
    await said(connection, "touch");
    await said(connection, "log");
    // Both came before the answers of their calls.
    assert.deepEqual(updated, ["ask note://a"]);
    assert.deepEqual(logs.map(({ server, level }) => [server, level]), [
      ["ask", "warning"],
      ["ask", "info"],
    ]);
    assert.match(await said(connection, "seen"), /level debug/);
  },
);

Deno.test("what a manager wants of a server is told to its next connection too", async () => {
  await withBench(async (bench) => {
    const wishes = new LastingWishes("warning");
    const up: MCPServerConnection[] = [];
    const connect = async (): Promise<MCPServerConnection> => {
      const connection = await bench.connect(bench.program("asking_legacy.ts"), {
        logLevel: wishes.logLevel("s"),
        subscriptions: wishes.subscriptions("s"),
      });
      up[0] = connection;
      return connection;
    };
    const requests = new ServerRequests({
      connection: async () => up[0] ?? await connect(),
      up: () => up,
      wishes,
    });
    assert.ok(await requests.ping("s") >= 0);
    await requests.subscribe("s", "note://a");
    await requests.subscribe("s", "note://b");
    await assert.rejects(requests.subscribe("s", "note://refused"));
    await requests.unsubscribe("s", "note://b");
    await requests.setLogLevel("s", "alert");
    await requests.setLogLevel("away", "debug");
    await requests.rootsChanged();
    const completion = await requests.complete("s", { type: "ref/prompt", name: "p" }, {
      name: "x",
      value: "v",
    });
    assert.equal(completion.values[0], "v!");
    await up[0]?.close();
    const next = await connect();
    const end = performance.now() + 5_000;
    while (await said(next, "touch") !== '["note://a"]') assert.ok(performance.now() < end);
    assert.match(await said(next, "seen"), /level alert/);
    assert.equal(wishes.logLevel("other"), "warning");
    assert.equal(wishes.logLevel("away"), "debug");
  });
});

withManager("a server that asks for what nobody answers stays as it is", async (world) => {
  const manager = world.manager();
  await manager.connectServers(inHome(world, { ask: asking(), good: trap("good") }));
  const answer = await said(manager.getConnection("ask"), "ask", { method: "roots/list" });
  assert.equal(JSON.parse(answer).code, -32601);
  assert.equal(manager.getConnectionStatus("ask"), "connected");
});

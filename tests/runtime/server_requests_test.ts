import assert from "node:assert/strict";
import process from "node:process";
import type { MCPServerConnection } from "../../src/model/connection.ts";
import type { ServerConfig } from "../../src/model/definition.ts";
import type { LogMessage } from "../../src/model/log_message.ts";
import type { MCPManager } from "../../src/runtime/manager.ts";
import { fromRepository } from "../harness/repository.ts";
import { sdkServer, trap } from "../harness/servers.ts";
import { toolNamed } from "../connection/tool_named.ts";
import { callTool } from "../../src/connection/calls.ts";
import { until } from "../harness/until.ts";
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
    const logs: LogMessage[] = [];
    const updated: string[] = [];
    const manager: MCPManager = world.manager({
      handlers: { roots: ({ server }) => [{ uri: `file:///${server}` }] },
      onLogMessage: (log) => logs.push(log),
      loggingLevel: "debug",
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

withManager("what a host wants of a server outlives its connection", async (world) => {
  const updated: string[] = [];
  const manager = world.manager({
    loggingLevel: "warning",
    onResourceUpdated: (server, uri) => updated.push(`${server} ${uri}`),
  });
  await manager.connectServers(inHome(world, { s: asking() }));
  assert.ok(await manager.ping("s") >= 0);
  await manager.subscribe("s", "note://a");
  await manager.subscribe("s", "note://b");
  await assert.rejects(manager.subscribe("s", "note://refused"));
  await manager.unsubscribe("s", "note://b");
  await manager.setLogLevel("s", "alert");
  await manager.setLogLevel("away", "debug");
  await manager.rootsChanged();
  const prompt = { type: "ref/prompt", name: "p" } as const;
  const { values } = await manager.complete("s", prompt, { name: "x", value: "v" });
  assert.equal(values[0], "v!");
  const pid = manager.getConnection("s")?.pid;
  assert.ok(typeof pid === "number");
  process.kill(pid, "SIGKILL");
  await until(() => manager.getConnection("s")?.pid !== pid);
  assert.equal((await manager.complete("s", prompt, { name: "x", value: "w" })).values[0], "w!");
  await until(() => updated.length > 0);
  assert.deepEqual(updated, ["s note://a"], "what changed meanwhile is not known, so it counts");
  const next = manager.getConnection("s");
  await until(async () => await said(next, "touch") === '["note://a"]');
  assert.match(await said(next, "seen"), /level alert/);
});

withManager("a server that asks for what nobody answers stays as it is", async (world) => {
  const manager = world.manager();
  await manager.connectServers(inHome(world, { ask: asking(), good: trap("good") }));
  const answer = await said(manager.getConnection("ask"), "ask", { method: "roots/list" });
  assert.equal(JSON.parse(answer).code, -32601);
  assert.equal(manager.getConnectionStatus("ask"), "connected");
});

withManager("a wish for a server that is away for the moment is kept", async (world) => {
  const manager = world.manager({ random: () => 1 });
  await manager.connectServers(inHome(world, { s: asking() }));
  await manager.subscribe("s", "note://a");
  process.kill(manager.getConnection("s")?.pid ?? 0, "SIGKILL");
  await until(() => manager.getServers()[0]?.state === "retrying");
  await manager.unsubscribe("s", "note://a");
  await manager.setLogLevel("s", "alert");
  await manager.rootsChanged();
  const next = await manager.waitForConnection("s");
  assert.deepEqual(next.subscriptions(), []);
  await manager.settled();
  await until(async () => /level alert/.test(await said(next, "seen")));
});

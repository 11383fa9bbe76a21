import assert from "node:assert/strict";
import { trap } from "../harness/servers.ts";
import { connectLoaded, loadedFrom } from "./loaded_servers.ts";
import { ScriptedServers } from "./model/scripted_listener.ts";
import { inHome, withManager } from "./running_manager.ts";

withManager("a retry starts what has failed, and counts from one again", async (world) => {
  const path = await world.write("home/tools", "fail");
  const server = trap("lines-of");
  const manager = world.manager({ autoReconnect: false });
  await manager.connectServers(
    inHome(world, { x: { ...server, env: { ...server.env, LINES: path } } }),
  );
  await assert.rejects(manager.retryServer("x"), { code: "protocol-error" });
  assert.equal(manager.getServers()[0]?.state, "error");
  await world.write("home/tools", "one");
  await manager.retryServer("x");
  const [row] = manager.getServers();
  assert.deepEqual([row?.state, row?.attempt, row?.error], ["connected", 1, null]);
});

withManager("a retry starts what the plan says though nobody ever started it", async (world) => {
  const manager = world.manager();
  const { plan } = loadedFrom(world, { a: trap("good"), b: trap("good") });
  await manager.connectServers({}, {}, { plan });
  assert.deepEqual(manager.getServers().map(({ state }) => state), [
    "disconnected",
    "disconnected",
  ]);
  await assert.rejects(manager.restartServer("b"), { code: "server-not-runnable" });
  await manager.retryServer("b");
  await manager.retryServer("a");
  assert.deepEqual(manager.getServers().map(({ name, state }) => [name, state]), [
    ["a", "connected"],
    ["b", "connected"],
  ]);
  assert.equal(manager.getSource("b")?.label, "Test");
  assert.deepEqual([...new Set(manager.getTools().map(({ server }) => server))], ["a", "b"]);
});

withManager("a retry does not start what the plan forbids or does not know", async (world) => {
  const manager = world.manager();
  const { plan } = loadedFrom(world, { a: trap("good") });
  const reason = { code: "server-not-runnable", message: "Not approved", hint: null } as const;
  const servers = plan.servers.map((row) => ({
    ...row,
    launch: null,
    verdict: { state: "untrusted" as const, reason },
  }));
  await manager.connectServers({}, {}, { plan: { ...plan, servers } });
  await assert.rejects(manager.retryServer("a"), { message: "Not approved" });
  await assert.rejects(manager.retryServer("b"), { code: "unknown-server" });
});

withManager("a retry starts what was disconnected, as it was started last", async (world) => {
  const manager = world.manager();
  const loaded = loadedFrom(world, { a: trap("good") });
  await connectLoaded(manager, loaded);
  await manager.disconnectServer("a", { drainMs: 1_000 });
  assert.equal(manager.getSource("a"), undefined);
  await manager.retryServer("a");
  assert.equal(manager.getConnectionStatus("a"), "connected");
  assert.equal(manager.getSource("a")?.label, "Test");
  await manager.retryServer("a");
  assert.equal(manager.getConnectionStatus("a"), "connected");
});

withManager("a retry takes another definition when it is given one", async (world) => {
  const manager = world.manager();
  const broken = { ...trap("good"), env: { ...trap("good").env, KEY: "${HOTPLUG_TEST_MISSING}" } };
  await manager.connectServers(inHome(world, { x: broken }));
  assert.equal(manager.getServers()[0]?.error?.code, "missing-variable");
  await assert.rejects(manager.retryServer("x"), { code: "missing-variable" });
  const { x } = inHome(world, { x: trap("good") });
  assert.ok(x !== undefined);
  await manager.retryServer("x", { definition: { config: x, source: undefined } });
  assert.equal(manager.getConnectionStatus("x"), "connected");
});

withManager("a retry starts what waited for a login", async (world) => {
  await using servers = new ScriptedServers();
  servers.renew(["x"]);
  const manager = world.manager();
  servers.of("x").become("locked");
  await manager.connectServers({ x: { type: "streamable_http", url: servers.url("x") } });
  assert.equal(manager.getServers()[0]?.state, "needs-auth");
  servers.of("x").become("up");
  await manager.retryServer("x");
  assert.equal(manager.getServers()[0]?.state, "connected");
});

withManager("a retry opens what dropped while nothing reconnects by itself", async (world) => {
  await using servers = new ScriptedServers();
  servers.renew(["x"]);
  const manager = world.manager({ autoReconnect: false });
  await manager.connectServers({ x: { type: "streamable_http", url: servers.url("x") } });
  const old = manager.getConnection("x");
  servers.of("x").become("down");
  assert.equal(await old?.confirm(), false);
  await old?.closed;
  assert.equal(manager.getConnectionStatus("x"), "disconnected");
  assert.equal(manager.getConnection("x"), old, "it stays registered");
  servers.of("x").become("up");
  await manager.retryServer("x");
  assert.equal(manager.getConnectionStatus("x"), "connected");
  assert.notEqual(manager.getConnection("x"), old);
});

import assert from "node:assert/strict";
import { npmServer, trap } from "../harness/servers.ts";
import { until } from "../harness/until.ts";
import type { MCPManager } from "../../src/runtime/manager.ts";
import type { CallToolResult } from "../../src/model/tool.ts";
import { FakeClock } from "./fake_clock.ts";
import { connectLoaded, loadedFrom } from "./loaded_servers.ts";
import { ScriptedServers } from "./model/scripted_listener.ts";
import { inHome, withManager } from "./running_manager.ts";

function isAlive(pid: number): boolean {
  try {
    Deno.kill(pid, "SIGCONT");
    return true;
  } catch {
    return false;
  }
}

function pidOf(manager: MCPManager, name: string): number {
  const pid = manager.getConnection(name)?.pid ?? null;
  assert.ok(pid !== null, `"${name}" has no process`);
  return pid;
}

function textOf(result: CallToolResult): string {
  return String(result.content[0]?.["text"]);
}

/** Calls a tool and returns when the call is on its way over the connection that is there. */
async function running(
  manager: MCPManager,
  server: string,
  tool: string,
  args: Record<string, number>,
): Promise<{ readonly done: Promise<CallToolResult> }> {
  const done = manager.callTool(server, tool, args);
  done.catch(() => {});
  // Whatever was asked before is answered by then: a server is asked in order.
  await manager.ping(server);
  return { done };
}

withManager(
  "a running call survives a reload that restarts its server, and new ones wait for the new one",
  async (world) => {
    const manager = world.manager();
    const lock = `${world.home}/lock`;
    const loaded = loadedFrom(world, { a: trap("lock", lock) });
    await connectLoaded(manager, loaded);
    const old = pidOf(manager, "a");
    const names = manager.getTools().map(({ name }) => name);
    const { done } = await running(manager, "a", "go", { ms: 1_000 });
    const { restarted, settled } = await manager.reconcile(loaded, { restart: ["a"] });
    assert.deepEqual([restarted, manager.getConnectionStatus("a")], [["a"], "connecting"]);
    assert.deepEqual(manager.getTools().map(({ name }) => name), names);
    const next = manager.callTool("a", "go", {});
    assert.equal(textOf(await done), `by ${old}`);
    assert.equal((await settled).size, 0);
    const now = pidOf(manager, "a");
    assert.equal(textOf(await next), `by ${now}`);
    assert.notEqual(now, old);
    assert.ok(!isAlive(old), "the old process is left");
  },
);

withManager("a long operation of a server from npm ends over the old connection", async (world) => {
  const manager = world.manager();
  const loaded = loadedFrom(world, { every: npmServer("everything") });
  await connectLoaded(manager, loaded);
  const long = manager.listTools("every").find(({ name }) => /long/i.test(name));
  assert.ok(long !== undefined);
  const { done } = await running(manager, "every", long.name, { duration: 1, steps: 2 });
  const { settled } = await manager.reconcile(loaded, { restart: ["every"] });
  assert.match(textOf(await done), /completed/i);
  assert.equal((await settled).size, 0);
});

withManager("an idle connection closes at once, without a wait by the clock", async (world) => {
  const clock = new FakeClock();
  const manager = world.manager({ clock });
  const loaded = loadedFrom(world, { a: trap("good") });
  await connectLoaded(manager, loaded);
  const old = pidOf(manager, "a");
  const { settled } = await manager.reconcile(loaded, { restart: ["a"] });
  await settled;
  assert.notEqual(pidOf(manager, "a"), old);
  assert.ok(!isAlive(old));
});

withManager("a call that never ends is cut 10 s after its server was replaced", async (world) => {
  const clock = new FakeClock();
  const manager = world.manager({ clock });
  const loaded = loadedFrom(world, { a: trap("hang-call") });
  await connectLoaded(manager, loaded);
  const old = pidOf(manager, "a");
  const { done } = await running(manager, "a", "go", {});
  const { settled } = await manager.reconcile(loaded, { restart: ["a"] });
  await clock.turn(9_999);
  assert.ok(isAlive(old));
  assert.equal(manager.getConnectionStatus("a"), "connecting");
  await clock.turn(1);
  await assert.rejects(done, { code: "outcome-unknown" });
  assert.equal((await settled).size, 0);
  assert.equal(manager.getConnectionStatus("a"), "connected");
  assert.ok(!isAlive(old));
});

withManager("a pause takes the tools at once and lets running calls end", async (world) => {
  const manager = world.manager();
  await manager.connectServers(inHome(world, { a: trap("late") }));
  const old = pidOf(manager, "a");
  const { done } = await running(manager, "a", "go", { ms: 800 });
  const paused = manager.disconnectServer("a", { drainMs: 10_000 });
  assert.deepEqual(manager.getTools(), []);
  assert.equal(manager.getServers()[0]?.state, "disconnected");
  await assert.rejects(manager.callTool("a", "go", {}), { code: "not-connected" });
  assert.equal(textOf(await done), "late but here");
  await paused;
  assert.ok(!isAlive(old));
});

withManager("an end without patience cuts what still waits for its calls", async (world) => {
  const manager = world.manager();
  await manager.connectServers(inHome(world, { a: trap("hang-call"), b: trap("hang-call") }));
  const calls = await Promise.all(["a", "b"].map((name) => running(manager, name, "go", {})));
  const cut = new AbortController();
  const a = manager.disconnectServer("a", { drainMs: 60_000 });
  const b = manager.disconnectServer("b", { drainMs: 60_000, signal: cut.signal });
  cut.abort();
  await b;
  assert.equal(manager.getServers().length, 2);
  await manager.disconnectServer("a");
  await a;
  await manager.disconnectAll();
  for (const { done } of calls) await assert.rejects(done, { code: "outcome-unknown" });
});

withManager("a user's restart waits for no call", async (world) => {
  const manager = world.manager();
  const loaded = loadedFrom(world, { a: trap("hang-call") });
  await connectLoaded(manager, loaded);
  const { done } = await running(manager, "a", "go", {});
  await manager.reconcile(loaded, { restart: ["a"] });
  await manager.restartServer("a");
  await assert.rejects(done, { code: "outcome-unknown" });
  assert.equal(manager.getConnectionStatus("a"), "connected");
});

withManager("what may not run any more gets no time for its calls", async (world) => {
  let isForbidden = false;
  const manager = world.manager({
    mayRun: () => isForbidden ? { code: "blocked-by-policy", message: "No", hint: null } : null,
  });
  const loaded = loadedFrom(world, { a: trap("hang-call") });
  await connectLoaded(manager, loaded);
  const { done } = await running(manager, "a", "go", {});
  isForbidden = true;
  const { settled } = await manager.reconcile(loaded, { restart: ["a"] });
  assert.deepEqual([...(await settled).values()].map(({ code }) => code), ["blocked-by-policy"]);
  await assert.rejects(done, { code: "outcome-unknown" });
});

withManager(
  "two reloads of a server that is slow to end leave the last one [G10]",
  async (world) => {
    const manager = world.manager();
    const loaded = loadedFrom(world, { a: trap("stubborn") });
    await connectLoaded(manager, loaded);
    const old = pidOf(manager, "a");
    const first = await manager.reconcile(loaded, { restart: ["a"] });
    const second = await manager.reconcile(loaded, { restart: ["a"] });
    assert.deepEqual([await first.settled, await second.settled], [new Map(), new Map()]);
    assert.equal(manager.getConnectionStatus("a"), "connected");
    assert.ok(isAlive(pidOf(manager, "a")));
    assert.ok(!isAlive(old));
  },
);

withManager(
  "a removed server's row goes at once, and its running call still ends",
  async (world) => {
    const manager = world.manager();
    const servers = { a: trap("late"), b: trap("good") };
    await connectLoaded(manager, loadedFrom(world, servers));
    const old = pidOf(manager, "a");
    const { done } = await running(manager, "a", "go", { ms: 800 });
    const { stopped } = await manager.reconcile(loadedFrom(world, { b: servers.b }));
    assert.deepEqual(stopped, ["a"]);
    assert.deepEqual(manager.getServers().map(({ name }) => name), ["b"]);
    assert.ok(isAlive(old));
    const { started, settled } = await manager.reconcile(loadedFrom(world, servers));
    assert.deepEqual(started, ["a"]);
    assert.equal(textOf(await done), "late but here");
    await settled;
    assert.ok(!isAlive(old));
    assert.equal(manager.getConnectionStatus("a"), "connected");
  },
);

withManager("a server that got another name waits for the end of the old one", async (world) => {
  const manager = world.manager();
  const server = trap("lock", `${world.home}/lock`);
  await connectLoaded(manager, loadedFrom(world, { a: server }));
  const { done } = await running(manager, "a", "go", { ms: 800 });
  const { started, settled } = await manager.reconcile(loadedFrom(world, { b: server }));
  assert.deepEqual(started, ["b"]);
  assert.deepEqual(await settled, new Map());
  assert.match(textOf(await done), /^by /);
  assert.equal(manager.getConnectionStatus("b"), "connected");
});

withManager("an end of all cuts the last call of a server that was removed", async (world) => {
  const manager = world.manager();
  await connectLoaded(manager, loadedFrom(world, { a: trap("hang-call") }));
  const { done } = await running(manager, "a", "go", {});
  await manager.reconcile(loadedFrom(world, {}));
  assert.deepEqual(manager.getServers(), []);
  await manager.disconnectAll();
  await assert.rejects(done, { code: "outcome-unknown" });
});

withManager("the late end of an old connection does not touch the new one [G10]", async (world) => {
  await using servers = new ScriptedServers();
  servers.renew(["a"]);
  const server = servers.of("a");
  const manager = world.manager();
  const loaded = loadedFrom(world, {
    a: { type: "streamable_http", url: servers.url("a") },
  });
  await connectLoaded(manager, loaded);
  const call = manager.callTool("a", "hang-act", { token: "x" });
  await until(() => server.held().length === 1);
  const { settled } = await manager.reconcile(loaded, { restart: ["a"] });
  await settled;
  const connection = manager.getConnection("a");
  const tools = manager.getTools();
  assert.equal(server.sessions.size, 2);
  server.release();
  assert.equal(textOf(await call), "a x");
  await until(() => server.sessions.size === 1);
  assert.equal(manager.getConnectionStatus("a"), "connected");
  assert.equal(manager.getConnection("a"), connection);
  assert.equal(manager.getTools(), tools);
  assert.equal(textOf(await manager.callTool("a", "act", { token: "y" })), "a y");
});

import assert from "node:assert/strict";
import type { MCPManager } from "../../src/runtime/manager.ts";
import { countedListeners } from "../harness/counted_listeners.ts";
import { trap } from "../harness/servers.ts";
import { inHome, withManager } from "./running_manager.ts";

withManager(
  "a server that is started while all are being ended stays, and is ended by the next end",
  async (world) => {
    const manager = world.manager();
    await manager.connectServers(inHome(world, { old: trap("good") }));
    const ending = manager.disconnectAll();
    const { connectedServers } = await manager.connectServers(
      inHome(world, { young: trap("good") }),
    );
    await ending;
    assert.deepEqual(connectedServers, ["young"]);
    assert.deepEqual(manager.getServers().map(({ name, state }) => [name, state]), [
      ["young", "connected"],
    ]);
    assert.equal((await manager.callTool("young", "echo", { text: "x" })).isError, false);
    await manager.disconnectAll();
    assert.deepEqual(manager.getServers(), []);
  },
);

withManager("the same server can be started anew while it is being ended", async (world) => {
  const manager = world.manager();
  const configs = inHome(world, { x: trap("pid") });
  await manager.connectServers(configs);
  const first = manager.getConnection("x")?.pid;
  const [, , { connectedServers }] = await Promise.all([
    manager.disconnectAll(),
    manager.disconnectServer("x"),
    manager.connectServers(configs),
  ]);
  assert.deepEqual(connectedServers, ["x"]);
  assert.equal(manager.getServers()[0]?.state, "connected");
  assert.notEqual(manager.getConnection("x")?.pid, first);
});

withManager(
  "an end of all in the middle of a start ends it, twice over and bounded",
  async (world) => {
    const manager = world.manager();
    const connecting = manager.connectServers(inHome(world, {
      hung: trap("hang"),
      slow: trap("slow", "2000"),
      good: trap("good"),
    }));
    const started = performance.now();
    await Promise.all([manager.disconnectAll(), manager.disconnectAll()]);
    const { connectedServers, tools } = await connecting;
    assert.ok(performance.now() - started < 5_000);
    assert.deepEqual([connectedServers, tools], [[], []]);
    assert.deepEqual(manager.getServers(), []);
  },
);

withManager("a host may end and start servers in its callbacks", async (world) => {
  const configs = inHome(world, { x: trap("good") });
  const seen: string[] = [];
  let acts = 0;
  const manager: MCPManager = world.manager({
    toolCache: null,
    onToolsChanged: () => {
      const state = manager.getServers()[0]?.state ?? "";
      seen.push(state);
      acts++;
      if (acts === 1) void manager.disconnectServer("x");
      if (acts === 2) void manager.connectServers(configs);
    },
  });
  await manager.connectServers(configs);
  while (acts < 3) await new Promise((resolve) => setTimeout(resolve, 10));
  await manager.settled();
  assert.deepEqual(seen, ["connected", "disconnected", "connected"]);
  assert.equal(manager.getServers()[0]?.state, "connected");
  assert.ok(manager.getTools().length > 0);
});

withManager(
  "a host may end a server in the very callback that tells of its start",
  async (world) => {
    const manager: MCPManager = world.manager({
      onServer: ({ state }) => {
        if (state === "connecting") void manager.disconnectServer("x");
      },
    });
    const { connectedServers } = await manager.connectServers(inHome(world, { x: trap("good") }));
    await manager.settled();
    assert.deepEqual(connectedServers, []);
    assert.equal(manager.getServers()[0]?.state, "disconnected");
  },
);

withManager(
  "a connection that its holder closes is told as disconnected, and can be opened anew",
  async (world) => {
    // A busy machine gets more time than hosts do.
    const manager = world.manager({ gateMs: 10_000 });
    const configs = inHome(world, { x: trap("good") });
    await manager.connectServers(configs);
    await manager.getConnection("x")?.close();
    const [row] = manager.getServers();
    assert.deepEqual([row?.state, row?.error], ["disconnected", null]);
    await manager.connectServers(configs);
    assert.equal(manager.getConnectionStatus("x"), "connected");
  },
);

withManager("an ended server has no lists left, and its time stands still", async (world) => {
  const manager = world.manager({ onMissingCache: "late", gateMs: 0 });
  await manager.connectServers(inHome(world, { good: trap("optional-lists"), hung: trap("hang") }));
  while (manager.getConnectionStatus("good") !== "connected") {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await Promise.all(["good", "hung"].map((name) => manager.disconnectServer(name)));
  const before = manager.getServers();
  assert.deepEqual(before.map(({ resources, tools }) => [resources, tools]), [
    [null, null],
    [null, null],
  ]);
  await new Promise((resolve) => setTimeout(resolve, 30));
  const times = (): (number | null)[] => manager.getServers().map(({ elapsedMs }) => elapsedMs);
  assert.deepEqual(times(), before.map(({ elapsedMs }) => elapsedMs));
});

withManager(
  "a call that waits for a server which is ended fails, and is no abort",
  async (world) => {
    const configs = inHome(world, { slow: trap("slow", "700") });
    const first = world.manager();
    await first.connectServers(configs);
    await first.disconnectAll();
    const manager = world.manager();
    const { tools } = await manager.connectServers(configs);
    const { signal } = new AbortController();
    const call = tools[0]?.execute({ text: "x" }, { signal });
    await manager.disconnectServer("slow");
    const result = await call;
    assert.equal(result?.isError, true);
    assert.match(JSON.stringify(result?.content), /MCP error: .*not connected/);
  },
);

withManager(
  "a server that runs is kept as it was started, whatever definition comes later",
  async (world) => {
    const manager = world.manager();
    await manager.connectServers(inHome(world, { x: trap("pid") }));
    const pid = manager.getConnection("x")?.pid;
    const again = await manager.connectServers(inHome(world, { x: trap("dead") }));
    assert.deepEqual([...again.errors], []);
    assert.equal(manager.getConnection("x")?.pid, pid);
    await manager.disconnectServer("x");
    const { errors } = await manager.connectServers(inHome(world, { x: trap("dead") }));
    assert.equal(errors.get("x")?.code, "server-exited");
  },
);

withManager("waiting leaves nothing at a signal that lives long", async (world) => {
  const configs = inHome(world, { slow: trap("slow", "400"), good: trap("good") });
  const { signal, listeners } = countedListeners();
  const manager = world.manager({ onMissingCache: "late" });
  const started = manager.connectServers(configs, {}, { signal });
  const waiting = Array.from({ length: 50 }, () => manager.waitForConnection("slow", { signal }));
  const settled = Array.from({ length: 50 }, () => manager.settled({ signal }));
  await Promise.all([started, ...waiting, ...settled]);
  for (let time = 0; time < 50; time++) {
    await manager.callTool("good", "echo", { text: "x" }, { signal });
  }
  assert.equal(listeners(), 0);
});

withManager(
  "a cache that never finishes a write holds up neither settling nor the end",
  async (world) => {
    const lines: string[] = [];
    const manager = world.manager({
      toolCache: { get: () => Promise.resolve(null), set: () => new Promise(() => {}) },
      log: { log: (_level, message) => lines.push(message) },
    });
    await manager.connectServers(inHome(world, { good: trap("good"), dead: trap("dead") }));
    const started = performance.now();
    await manager.settled();
    await manager.disconnectAll();
    assert.ok(performance.now() - started < 4_000);
  },
);

withManager(
  "what was learnt of a server is written as one or two entries, not one a list",
  async (world) => {
    let writes = 0;
    let last: unknown = null;
    const manager = world.manager({
      toolCache: {
        get: () => Promise.resolve(null),
        set: (_fingerprint, entry) => {
          writes++;
          last = entry.tools;
          return Promise.resolve();
        },
      },
    });
    await manager.connectServers(inHome(world, { good: trap("optional-lists") }));
    await manager.settled();
    await manager.disconnectAll();
    assert.ok(last !== null);
    assert.ok(writes >= 1 && writes <= 2, `${writes} writes`);
  },
);

withManager(
  "a host may end a server in each of its callbacks, also when it is told of that",
  async (world) => {
    const states: string[] = [];
    const manager: MCPManager = world.manager({
      toolCache: null,
      onServer({ name, state }): void {
        states.push(state);
        if (state !== "connecting") void manager.disconnectServer(name);
      },
    });
    await manager.connectServers(inHome(world, { x: trap("good") }));
    await manager.disconnectServer("x");
    assert.deepEqual(states.slice(-1), ["disconnected"]);
    assert.equal(states.filter((state) => state === "disconnected").length, 1);
  },
);

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import type { ServerConfig } from "../../src/model/definition.ts";
import type { ErrorInfo, HotplugError } from "../../src/model/errors.ts";
import type { MCPManager } from "../../src/runtime/manager.ts";
import { npmServer, trap } from "../harness/servers.ts";
import { FakeClock } from "./fake_clock.ts";
import { connectLoaded, loadedFrom } from "./loaded_servers.ts";
import { inHome, withManager } from "./running_manager.ts";

/** A server that offers a tool for each line of a file. */
function linesOf(path: string): ServerConfig {
  const server = trap("lines-of");
  return { ...server, env: { ...server.env, LINES: path } };
}

function pids(manager: MCPManager): Readonly<Record<string, number | null>> {
  return Object.fromEntries(manager.getServers().map(({ name, pid }) => [name, pid]));
}

withManager(
  "calls of servers that did not change go on while others restart [G07]",
  async (world) => {
    const manager = world.manager();
    const a = trap("late");
    await connectLoaded(manager, loadedFrom(world, { a, b: trap("good") }));
    const before = pids(manager);
    const call = manager.callTool("a", "go", { ms: 1_500 });
    const { restarted, kept, settled } = await manager.reconcile(
      loadedFrom(world, { a, b: trap("good", "2") }),
    );
    assert.deepEqual([restarted, kept, (await settled).size], [["b"], ["a"], 0]);
    assert.equal((await call).isError, false);
    assert.equal(pids(manager)["a"], before["a"]);
    assert.notEqual(pids(manager)["b"], before["b"]);
  },
);

withManager("tools stay on offer during a restart, and calls wait for its end", async (world) => {
  let changes = 0;
  const manager = world.manager({ onToolsChanged: () => changes++ });
  await connectLoaded(manager, loadedFrom(world, { a: trap("good") }));
  const names = manager.getTools().map(({ name }) => name);
  const [tool] = manager.listTools("a");
  assert.ok(tool !== undefined);
  const before = [changes, pids(manager)["a"]];
  const done = manager.reconcile(loadedFrom(world, { a: trap("good", "2") }));
  done.catch(() => {});
  const deadline = performance.now() + 5_000;
  while (manager.getConnectionStatus("a") !== "connecting") {
    assert.ok(performance.now() < deadline, "it never restarts");
    await pause(1);
  }
  assert.deepEqual(manager.getTools().map(({ name }) => name), names);
  const connection = await manager.waitForConnection("a");
  assert.notEqual(connection.pid, before[1]);
  await (await done).settled;
  assert.equal(changes, before[0]);
});

withManager("servers that are in no plan are their host's own and stay", async (world) => {
  const manager = world.manager();
  await manager.connectServers(inHome(world, { own: trap("good") }));
  await connectLoaded(manager, loadedFrom(world, { a: trap("good") }));
  const { stopped } = await manager.reconcile(loadedFrom(world, {}));
  assert.deepEqual(stopped, ["a"]);
  assert.equal(manager.getConnectionStatus("own"), "connected");
});

withManager("a server that hangs at its start holds up no later change", async (world) => {
  const manager = world.manager();
  await connectLoaded(manager, loadedFrom(world, {}));
  const began = performance.now();
  const hung = await manager.reconcile(loadedFrom(world, { hung: trap("hang"), a: trap("good") }));
  assert.deepEqual(hung.started, ["hung", "a"]);
  const next = await manager.reconcile(loadedFrom(world, { a: trap("good") }));
  assert.deepEqual([next.stopped, next.kept], [["hung"], ["a"]]);
  assert.ok(performance.now() - began < 5_000);
  assert.deepEqual(await hung.settled, new Map());
  assert.equal(manager.getConnectionStatus("a"), "connected");
});

withManager("a reload lists anew what is up, and starts anew what is not", async (world) => {
  const servers = { memory: npmServer("memory"), dead: trap("dead"), off: trap("good") };
  const manager = world.manager();
  await connectLoaded(manager, loadedFrom(world, servers));
  await manager.disconnectServer("off");
  const before = pids(manager);
  const changes = await manager.reconcile(loadedFrom(world, servers));
  assert.deepEqual([changes.kept, changes.changed], [["memory", "dead", "off"], false]);
  const reload = await manager.reconcile(loadedFrom(world, servers), { mode: "reload" });
  assert.deepEqual([reload.kept, reload.restarted], [["memory"], ["dead", "off"]]);
  assert.deepEqual([...(await reload.settled).keys()], ["dead"]);
  assert.equal(pids(manager)["memory"], before["memory"]);
  assert.equal(manager.getConnectionStatus("off"), "connected");
  const named = await manager.reconcile(loadedFrom(world, servers), { restart: ["memory"] });
  assert.deepEqual(named.restarted, ["memory"]);
  await named.settled;
  assert.notEqual(pids(manager)["memory"], before["memory"]);
});

withManager(
  "a reload asks at once for the lists of what goes on, and settles when they are there",
  async (world) => {
    const path = await world.write("home/tools", "one\n");
    // With a clock that stands, a pause before the reading would never end.
    const manager = world.manager({ clock: new FakeClock() });
    const loaded = loadedFrom(world, {
      a: linesOf(path),
      b: trap("good"),
    });
    await connectLoaded(manager, loaded);
    const names = (): readonly string[] => manager.listTools("a").map(({ name }) => name);
    await world.write("home/tools", "one\ntwo\n");
    const { kept, settled } = await manager.reconcile(loaded, { mode: "reload" });
    assert.deepEqual(kept, ["a", "b"]);
    assert.deepEqual(await settled, new Map());
    assert.deepEqual(names(), ["one", "two"]);
    await world.write("home/tools", "fail\n");
    const failed = await (await manager.reconcile(loaded, { mode: "reload" })).settled;
    assert.deepEqual([...failed].map(([name, { code }]) => [name, code]), [[
      "a",
      "protocol-error",
    ]]);
    assert.deepEqual([names(), manager.getConnectionStatus("a")], [["one", "two"], "connected"]);
  },
);

withManager(
  "a server that does not list again holds a reload up for its start time",
  async (world) => {
    const path = await world.write("home/tools", "one\n");
    const manager = world.manager();
    const loaded = loadedFrom(world, { a: { ...linesOf(path), startupTimeout: 1_500 } });
    await connectLoaded(manager, loaded);
    await world.write("home/tools", "hang\n");
    const began = performance.now();
    const first = await manager.reconcile(loaded, { mode: "reload" });
    const second = await manager.reconcile(loaded, { mode: "reload" });
    for (const { settled } of [first, second]) {
      assert.deepEqual([...await settled].map(([name, { code }]) => [name, code]), [[
        "a",
        "request-timeout",
      ]]);
    }
    assert.ok(performance.now() - began < 2_500);
    assert.deepEqual(manager.listTools("a").map(({ name }) => name), ["one"]);
  },
);

withManager("a reload notices that a command prints something else [G13]", async (world) => {
  const path = await world.write("home/token", "one");
  const servers = {
    a: { ...trap("good"), env: { ...trap("good").env, TOKEN: `!cat ${path}` } },
    b: { ...trap("good", "2"), env: { ...trap("good").env, TOKEN: "!echo same" } },
  };
  const manager = world.manager();
  await connectLoaded(manager, loadedFrom(world, servers));
  await world.write("home/token", "two");
  const changes = await manager.reconcile(loadedFrom(world, servers));
  assert.deepEqual(changes.kept, ["a", "b"]);
  const reload = await manager.reconcile(loadedFrom(world, servers), { mode: "reload" });
  assert.deepEqual([reload.restarted, reload.kept], [["a"], ["b"]]);
  await reload.settled;
});

withManager(
  "disconnecting all ends what is being brought about, and nothing starts",
  async (world) => {
    const manager = world.manager();
    await connectLoaded(manager, loadedFrom(world, { a: trap("good") }));
    const done = manager.reconcile(loadedFrom(world, { a: trap("good", "2"), b: trap("good") }));
    const later = manager.reconcile(loadedFrom(world, { c: trap("good") }));
    const failed = [done, later].map((promise) => assert.rejects(promise, { code: "aborted" }));
    await manager.disconnectAll();
    await Promise.all(failed);
    assert.ok(manager.getServers().every(({ state }) => state !== "connecting"));
    assert.deepEqual(manager.getTools(), []);
  },
);

withManager("an edited time limit holds for the next call, without a restart", async (world) => {
  const manager = world.manager();
  const a = trap("late");
  await connectLoaded(manager, loadedFrom(world, { a }));
  const before = pids(manager);
  await manager.reconcile(loadedFrom(world, { a: { ...a, callTimeout: 200 } }));
  await assert.rejects(manager.callTool("a", "go", { ms: 5_000 }), { code: "request-timeout" });
  assert.deepEqual(pids(manager), before);
});

withManager("filters stay exchanged when the server lists its tools anew", async (world) => {
  const manager = world.manager();
  await connectLoaded(manager, loadedFrom(world, { a: trap("good") }));
  const [first] = manager.listTools("a");
  assert.ok(first !== undefined);
  const next = loadedFrom(world, { a: { ...trap("good"), disabledTools: [first.name] } });
  await manager.reconcile(next);
  const names = manager.getTools().map(({ name }) => name);
  assert.ok(!names.includes(`mcp_a_${first.name}`));
  await manager.reconcile(next, { mode: "reload" });
  await pause(600);
  await manager.settled();
  assert.deepEqual(manager.getTools().map(({ name }) => name), names);
});

withManager(
  "an end of all does not wait for a host that never says what may run",
  async (world) => {
    const asked = Promise.withResolvers<void>();
    let hangs = false;
    const manager = world.manager({
      mayRun(): Promise<ErrorInfo | null> {
        if (!hangs) {
          return Promise.resolve({ code: "blocked-by-policy", message: "No", hint: null });
        }
        asked.resolve();
        return new Promise(() => {});
      },
    });
    const loaded = loadedFrom(world, { a: trap("good") });
    await connectLoaded(manager, loaded);
    assert.equal(manager.getServers()[0]?.state, "blocked");
    hangs = true;
    // Asked whether it is free by now.
    const done = manager.reconcile(loaded).catch((thrown: HotplugError) => thrown.code);
    await asked.promise;
    await manager.disconnectAll();
    assert.equal(await done, "aborted");
  },
);

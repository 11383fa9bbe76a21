import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import type { ServerView } from "../../src/model/server_view.ts";
import type { MCPManager } from "../../src/runtime/manager.ts";
import { trap } from "../harness/servers.ts";
import { until } from "../harness/until.ts";
import { FakeClock } from "./fake_clock.ts";
import { inHome, withManager } from "./running_manager.ts";

function viewOf(manager: MCPManager, name: string): ServerView {
  const view = manager.getServers().find((server) => server.name === name);
  assert.ok(view !== undefined);
  return view;
}

function killServer(manager: MCPManager, name: string): void {
  const pid = manager.getConnection(name)?.pid;
  assert.ok(typeof pid === "number");
  process.kill(pid, "SIGKILL");
}

async function pidOf(manager: MCPManager, name: string): Promise<number> {
  const { content } = await manager.callTool(name, "pid", {});
  return Number(content[0]?.["text"]);
}

withManager(
  "a killed server comes back by itself, its tools listed all the while",
  async (world) => {
    const states: string[] = [];
    const manager = world.manager({ onServer: ({ state }) => states.push(state) });
    await manager.connectServers(inHome(world, { x: trap("pid") }));
    await manager.settled();
    const before = viewOf(manager, "x");
    states.length = 0;
    killServer(manager, "x");
    await until(() => viewOf(manager, "x").state === "retrying");
    const waiting = viewOf(manager, "x");
    assert.equal(manager.getConnectionStatus("x"), "connecting");
    assert.match(waiting.error?.message ?? "", /SIGKILL/);
    assert.ok((waiting.nextAttemptAt ?? 0) > Date.now() - 1000);
    assert.equal(waiting.tools, before.tools);
    assert.equal(manager.getTools().length, before.tools);
    await until(() => viewOf(manager, "x").state === "connected");
    const after = viewOf(manager, "x");
    assert.deepEqual([after.attempt, after.error, after.nextAttemptAt], [2, null, null]);
    assert.notEqual(after.pid, before.pid);
    assert.equal(await pidOf(manager, "x"), after.pid);
    assert.deepEqual([...new Set(states)], ["retrying", "connected"]);
  },
);

withManager(
  "a call brings a lost server back at once, callers share one start [B21]",
  async (world) => {
    // The wait before the next attempt would be most of a second.
    const manager = world.manager({ random: () => 1 });
    await manager.connectServers(inHome(world, { x: trap("pid") }));
    killServer(manager, "x");
    await until(() => viewOf(manager, "x").state === "retrying");
    const pids = await Promise.all(Array.from({ length: 20 }, () => pidOf(manager, "x")));
    assert.equal(new Set(pids).size, 1);
    assert.equal(viewOf(manager, "x").attempt, 2);
  },
);

withManager("a call that only reads is repeated when its server dies under it", async (world) => {
  const manager = world.manager();
  const mark = join(world.home, "crashed");
  await manager.connectServers(inHome(world, { x: trap("crash-once", mark) }));
  const first = manager.getConnection("x")?.pid;
  const { content } = await manager.callTool("x", "look", {});
  assert.notEqual(content[0]?.["text"], String(first));
  assert.equal(viewOf(manager, "x").attempt, 2);
});

/** Answers one call in each life, `first` or `again`; in its first life it takes nothing after it. */
const DEAF_AFTER_CALL = `
read initialize
echo '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}}'
read initialized
read list
echo '{"jsonrpc":"2.0","id":"hp-1","result":{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}}'
read call
if [ -e "$0" ]; then text=again; else touch "$0"; text=first; exec 0<&-; fi
echo '{"jsonrpc":"2.0","id":"hp-2","result":{"content":[{"type":"text","text":"'$text'"}]}}'
exec sleep 60
`;

withManager(
  "a call that a dying server cannot take any more waits for the next process [C20]",
  async (world) => {
    const manager = world.manager();
    const args = ["-c", DEAF_AFTER_CALL, join(world.home, "lived")];
    await manager.connectServers(inHome(world, { x: { command: "sh", args } }));
    const call = async (): Promise<unknown> => {
      const { content } = await manager.callTool("x", "t", {}, { timeout: 10_000 });
      return content[0]?.["text"];
    };
    assert.equal(await call(), "first");
    // It is not marked as harmless to repeat: what was never written was surely not done.
    assert.equal(await call(), "again");
  },
);

withManager(
  "a call that may have done something is not repeated, and says so [C20]",
  async (world) => {
    const manager = world.manager();
    const mark = join(world.home, "crashed");
    const { tools } = await manager.connectServers(inHome(world, { x: trap("crash-once", mark) }));
    const act = tools.find(({ name }) => name === "mcp_x_act");
    const result = await act?.execute({});
    assert.equal(result?.isError, true);
    const [block] = result?.content ?? [];
    assert.match(
      block?.type === "text" ? block.text : "",
      /^MCP error: outcome unknown: .*SIGKILL/,
    );
    // The next call finds the server back.
    const again = await act?.execute({});
    assert.equal(again?.isError, false);
  },
);

withManager("a server that keeps crashing is given up, and each call tries once", async (world) => {
  const clock = new FakeClock();
  const manager = world.manager({ clock });
  const state = (): string => viewOf(manager, "x").state;
  const settled = async (): Promise<boolean> => {
    if (viewOf(manager, "x").nextAttemptAt !== null) await clock.turn(10_000);
    return state() === "error";
  };
  await manager.connectServers(inHome(world, { x: trap("crash-after-list") }));
  await until(settled);
  assert.equal(viewOf(manager, "x").attempt, 6);
  assert.ok(manager.getTools().length > 0, "its tools stay listed");
  // It may be answered just before the next crash, and goes to the next process if it surely was not.
  await manager.callTool("x", "add", { a: 1, b: 2 }).catch(() => {});
  await until(settled);
  assert.ok([7, 8].includes(viewOf(manager, "x").attempt ?? 0), `${viewOf(manager, "x").attempt}`);
});

withManager(
  "a clock on the wall that is set back does not delay the next attempt [G12]",
  async (world) => {
    const clock = new FakeClock();
    const manager = world.manager({ clock, random: () => 0.5 });
    await manager.connectServers(inHome(world, { x: trap("pid") }));
    killServer(manager, "x");
    await until(() => viewOf(manager, "x").state === "retrying");
    clock.setWall(-3_600_000);
    await clock.turn(500);
    await until(() => viewOf(manager, "x").state === "connected");
    const { since, elapsedMs } = viewOf(manager, "x");
    assert.ok(since !== null && since <= clock.now());
    assert.ok(elapsedMs !== null && elapsedMs >= 0);
  },
);

withManager("a server that never started is not started again by itself", async (world) => {
  const manager = world.manager();
  const { errors } = await manager.connectServers(inHome(world, { x: trap("dead") }));
  assert.equal(errors.get("x")?.code, "server-exited");
  assert.equal(viewOf(manager, "x").state, "error");
  assert.equal(viewOf(manager, "x").nextAttemptAt, null);
});

withManager(
  "a restart shows connecting for half a second and gives a new process [C9]",
  async (world) => {
    const seen: ServerView[] = [];
    const manager = world.manager({ onServer: (view) => seen.push(view) });
    await manager.connectServers(inHome(world, { x: trap("pid") }));
    await manager.settled();
    const first = manager.getConnection("x")?.pid;
    const tools = manager.getTools();
    seen.length = 0;
    const begun = performance.now();
    const restarted = manager.restartServer("x");
    assert.equal(viewOf(manager, "x").state, "connecting");
    assert.deepEqual(manager.getTools().map(({ name }) => name), tools.map(({ name }) => name));
    await restarted;
    assert.ok(performance.now() - begun >= 499);
    assert.equal(viewOf(manager, "x").state, "connected");
    assert.notEqual(manager.getConnection("x")?.pid, first);
    assert.ok(seen.every(({ state }) => state === "connecting" || state === "connected"));
    await assert.rejects(manager.restartServer("y"), { code: "unknown-server" });
  },
);

withManager("the old process is gone before the new one starts", async (world) => {
  const manager = world.manager();
  const lock = join(world.home, "lock");
  const configs = inHome(world, { x: trap("lock", lock) });
  await manager.connectServers(configs);
  // A second one at the same time would die of the lock that the first one holds.
  await manager.restartServer("x");
  assert.equal(viewOf(manager, "x").attempt, 2);
  const ended = manager.disconnectServer("x");
  const { errors } = await manager.connectServers(configs);
  await ended;
  assert.deepEqual([...errors], []);
});

withManager("a restart that fails says why", async (world) => {
  const manager = world.manager();
  await manager.connectServers(inHome(world, { x: trap("dead") }));
  await assert.rejects(manager.restartServer("x"), { code: "server-exited" });
});

withManager("ending a server that waits for its next attempt leaves no timer", async (world) => {
  const manager = world.manager();
  await manager.connectServers(inHome(world, { x: trap("pid") }));
  killServer(manager, "x");
  await until(() => viewOf(manager, "x").state === "retrying");
  await manager.disconnectServer("x");
  assert.equal(viewOf(manager, "x").state, "disconnected");
  assert.deepEqual(manager.getTools(), []);
});

withManager("a call's own time-out counts while its server comes back", async (world) => {
  const manager = world.manager();
  await manager.connectServers(inHome(world, { x: trap("slow", "1500") }));
  killServer(manager, "x");
  await until(() => viewOf(manager, "x").state === "retrying");
  const begun = performance.now();
  await assert.rejects(
    manager.callTool("x", "echo", { text: "a" }, { timeout: 300 }),
    { code: "request-timeout" },
  );
  assert.ok(performance.now() - begun < 1400);
});

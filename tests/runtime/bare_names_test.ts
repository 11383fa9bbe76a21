import assert from "node:assert/strict";
import type { ServerConfig } from "../../src/model/definition.ts";
import type { MCPManager } from "../../src/runtime/manager.ts";
import { memoryToolCache } from "../../src/cache/memory_tool_cache.ts";
import { trap } from "../harness/servers.ts";
import { until } from "../harness/until.ts";
import { connectLoaded, loadedFrom } from "./loaded_servers.ts";
import { inHome, type ManagerWorld, withManager } from "./running_manager.ts";

/** A server that offers the tools which a file names, one a line. */
async function offering(
  world: ManagerWorld,
  file: string,
  ...tools: readonly string[]
): Promise<ServerConfig> {
  await write(world, file, ...tools);
  const server = trap("lines-of");
  return { ...server, env: { ...server.env, LINES: `${world.home}/${file}` } };
}

/** Exchanges the tools of such a server; it says nothing of it. */
async function write(
  world: ManagerWorld,
  file: string,
  ...tools: readonly string[]
): Promise<void> {
  await world.write(`home/${file}`, tools.join("\n"));
}

/** Public names on offer. */
function offer(manager: MCPManager): string {
  return manager.getTools().map(({ name }) => name).join(" ");
}

/** Each server's state, with the code of its error. */
function states(manager: MCPManager): Readonly<Record<string, string>> {
  return Object.fromEntries(
    manager.getServers().map(({ name, state, error }) =>
      [name, error === null ? state : `${state} ${error.code}`] as const
    ),
  );
}

const TAKEN = "error tool-name-taken";

withManager(
  "a server with a reserved or a double name is in error, others are not",
  async (world) => {
    const manager = world.manager({ naming: "bare", reservedNames: ["todo_write"] });
    const servers = {
      a: await offering(world, "a", "list", "bash"),
      b: await offering(world, "b", "todo.write"),
      c: await offering(world, "c", "x.y", "x_y"),
      d: await offering(world, "d", "list", "admin.tools/list"),
    };
    const { errors, connectedServers } = await manager.connectServers(inHome(world, servers));
    assert.deepEqual(connectedServers, ["d"]);
    assert.deepEqual(states(manager), { a: TAKEN, b: TAKEN, c: TAKEN, d: "connected" });
    assert.match(errors.get("a")?.message ?? "", /"a".*"bash"/);
    assert.match(errors.get("b")?.message ?? "", /"b".*"todo_write"/);
    assert.match(errors.get("c")?.message ?? "", /"x.y" and "x_y"/);
    assert.equal(offer(manager), "list admin_tools_list");
    const [, tool] = manager.getTools();
    assert.deepEqual([tool?.server, tool?.info.name], ["d", "admin.tools/list"]);
    await assert.rejects(manager.callTool("a", "list", {}), { code: "tool-name-taken" });
  },
);

withManager("the first of the plan gets a name though another one is up sooner", async (world) => {
  let changes = 0;
  const manager = world.manager({ naming: "bare", onToolsChanged: () => changes++ });
  const servers = { a: trap("slow", "500"), b: await offering(world, "b", "echo", "own") };
  const { errors } = await manager.connectServers(inHome(world, servers));
  assert.deepEqual(states(manager), { a: "connected", b: TAKEN });
  assert.match(errors.get("b")?.message ?? "", /"b".*"echo".*"a"/);
  assert.ok(!offer(manager).includes("own"));
  assert.deepEqual([manager.getConnection("b"), changes], [undefined, 2]);
});

withManager("a late server does not get a claimed name before the next reload", async (world) => {
  const manager = world.manager({ naming: "bare", gateMs: 0, onMissingCache: "late" });
  const loaded = loadedFrom(world, {
    a: trap("slow", "500"),
    b: await offering(world, "b", "echo"),
  });
  await connectLoaded(manager, loaded);
  await manager.settled();
  assert.deepEqual([offer(manager), states(manager)], ["echo", { a: TAKEN, b: "connected" }]);
  await manager.restartServer("b");
  await assert.rejects(manager.restartServer("a"), { code: "tool-name-taken" });
  await manager.reconcile(loaded);
  assert.deepEqual(states(manager), { a: TAKEN, b: "connected" });
  const { kept, restarted, settled } = await manager.reconcile(loaded, { mode: "reload" });
  assert.deepEqual([kept, restarted], [["b"], ["a"]]);
  assert.deepEqual([...await settled].map(([name, { code }]) => [name, code]), [[
    "b",
    "tool-name-taken",
  ]]);
  assert.deepEqual(states(manager), { a: "connected", b: TAKEN });
});

withManager(
  "a name stays with a server that was ended, until a reload without it",
  async (world) => {
    const manager = world.manager({ naming: "bare" });
    const a = await offering(world, "a", "read");
    const b = await offering(world, "b", "read");
    const loaded = loadedFrom(world, { a, b });
    await connectLoaded(manager, loaded);
    await manager.disconnectServer("a", { drainMs: 1_000 });
    await assert.rejects(manager.restartServer("b"), { code: "tool-name-taken" });
    const { settled } = await manager.reconcile({ ...loaded, configs: inHome(world, { b }) }, {
      mode: "reload",
    });
    assert.deepEqual(await settled, new Map());
    assert.deepEqual(states(manager), { a: "disconnected", b: "connected" });
    await manager.disconnectAll();
    await manager.connectServers(inHome(world, { a }));
    await manager.settled();
    assert.deepEqual(states(manager)["a"], "connected");
  },
);

withManager(
  "a connected server that lists a taken name is ended with its reason",
  async (world) => {
    const manager = world.manager({ naming: "bare" });
    const loaded = loadedFrom(world, {
      a: await offering(world, "a", "read"),
      b: await offering(world, "b", "write"),
      c: await offering(world, "c", "seek"),
    });
    await connectLoaded(manager, loaded);
    // Of two that clash in one reload the first of the plan stays.
    await write(world, "a", "read", "seek");
    await write(world, "b", "write", "read");
    const { settled } = await manager.reconcile(loaded, { mode: "reload" });
    assert.deepEqual([...(await settled).keys()].toSorted(), ["b", "c"]);
    assert.deepEqual(states(manager), { a: "connected", b: TAKEN, c: TAKEN });
    assert.equal(offer(manager), "read seek");
    await write(world, "b", "write");
    await (await manager.reconcile(loaded, { mode: "reload" })).settled;
    assert.deepEqual(states(manager), { a: "connected", b: "connected", c: TAKEN });
  },
);

withManager("an edited filter is enough for a server to be offered", async (world) => {
  const manager = world.manager({ naming: "bare" });
  const a = await offering(world, "a", "read");
  const b = await offering(world, "b", "read", "write");
  await connectLoaded(manager, loadedFrom(world, { a, b }));
  assert.deepEqual(states(manager), { a: "connected", b: TAKEN });
  const next = loadedFrom(world, { a, b: { ...b, disabledTools: ["read"] } });
  await (await manager.reconcile(next)).settled;
  assert.deepEqual([offer(manager), states(manager)], [
    "read write",
    { a: "connected", b: "connected" },
  ]);
  await (await manager.reconcile(loadedFrom(world, { a, b }))).settled;
  assert.deepEqual([offer(manager), states(manager)], ["read", { a: "connected", b: TAKEN }]);
});

withManager(
  "tools that the cache remembers are judged like those that are listed",
  async (world) => {
    const toolCache = memoryToolCache();
    const servers = inHome(world, {
      a: await offering(world, "a", "read"),
      b: await offering(world, "b", "read", "write"),
    });
    const first = world.manager({ toolCache });
    await first.connectServers(servers);
    assert.equal(offer(first), "mcp_a_read mcp_b_read mcp_b_write");
    await first.disconnectAll();
    const offers = new Set<string>();
    const manager: MCPManager = world.manager({
      toolCache,
      naming: "bare",
      gateMs: 0,
      onToolsChanged: () => offers.add(offer(manager)),
    });
    await write(world, "b", "write");
    await manager.connectServers(servers);
    await until(() => manager.getServers().every(({ state }) => state === "connected"));
    assert.equal(offer(manager), "read write");
    for (const seen of offers) assert.match(seen, /^(read|read write|write|)$/);
  },
);

withManager("a server that loses its name lets its running calls end", async (world) => {
  const manager = world.manager({ naming: "bare", gateMs: 0, onMissingCache: "late" });
  const loaded = loadedFrom(world, { a: await offering(world, "a", "read"), b: trap("late") });
  await connectLoaded(manager, loaded);
  await manager.settled();
  assert.deepEqual(states(manager), { a: "connected", b: "connected" });
  const call = manager.callTool("b", "go", { ms: 800 });
  await manager.ping("b");
  await write(world, "a", "go");
  await (await manager.reconcile(loaded, { mode: "reload" })).settled;
  assert.deepEqual(states(manager), { a: "connected", b: TAKEN });
  assert.equal((await call).isError, false);
});

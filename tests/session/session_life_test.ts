import assert from "node:assert/strict";
import { join } from "node:path";
import type { ServerView } from "../../src/model/server_view.ts";
import { createSession } from "../../src/session/create_session.ts";
import { sdkServer, trap } from "../harness/servers.ts";
import { withManager } from "../runtime/running_manager.ts";
import { held, of } from "./held_session.ts";
import { good, STORE, until } from "./watching_manager.ts";

withManager("a session that discovers nothing does not begin to by a reload", async (world) => {
  await world.write(STORE, { mcpServers: { a: good("a") } });
  await using host = await held(world, { enableMCP: false });
  const report = await host.session.reload();
  assert.deepEqual([report.servers, host.session.status().servers], [[], []]);
});

withManager("a host that cannot say which servers take part keeps those out", async (world) => {
  await world.write(STORE, { mcpServers: { a: good("a"), b: good("b") } });
  await using host = await held(world, {
    leaveOut: ({ name }) => {
      if (name === "a") throw new Error("no idea");
      return null;
    },
  });
  assert.deepEqual([host.state("a"), host.state("b")], ["filtered", "connected"]);
  assert.match(host.session.status().servers[0]?.error?.message ?? "", /no idea/);
});

withManager("a reload does not wait for the calls of a paused server", async (world) => {
  await world.write(STORE, { mcpServers: { a: trap("late", "4000"), b: good("b") } });
  await using host = await held(world);
  const call = host.session.manager.callTool("a", "go", {});
  await host.session.manager.ping("a");
  await host.session.pause("a");
  const report = await host.session.reload();
  assert.ok(report.elapsedMs < 3_000, `it took ${report.elapsedMs} ms`);
  assert.equal((await call).isError, false);
});

withManager("a reload does not leave a server to its next attempt", async (world) => {
  await world.write(STORE, { mcpServers: { a: good("a") } });
  await using host = await held(world);
  Deno.kill(host.pid("a") ?? assert.fail(), "SIGKILL");
  await until("it waits", () => host.state("a") === "retrying");
  const report = await host.session.reload();
  assert.deepEqual(report.servers.map(({ action, state }) => [action, state]), [
    ["restarted", "connected"],
  ]);
});

withManager("a retry counts a server's attempts from one again", async (world) => {
  await world.write(STORE, { mcpServers: { a: trap("dead") } });
  await using host = await held(world);
  const attempt = (): number | undefined => host.session.status().servers[0]?.attempt ?? undefined;
  await host.session.reload();
  assert.equal(attempt(), 2);
  await host.session.retry("a");
  assert.equal(attempt(), 1);
});

withManager("a reload says how a named server stands that may not run", async (world) => {
  await world.write(STORE, {
    mcpServers: { a: { ...good("a"), disabled: true }, b: good("b"), c: { command: "" } },
  });
  await using host = await held(world);
  const report = await host.session.reload({ servers: ["a", "c"] });
  assert.deepEqual(report.servers.map(({ name, action, state }) => [name, action, state]), [
    ["a", "none", "disabled"],
    ["b", "kept", "connected"],
    ["c", "none", "error"],
  ]);
  const retried = await host.session.retry("a");
  assert.deepEqual(retried.servers.map(({ name, state }) => [name, state]), [
    ["a", "disabled"],
    ["b", "connected"],
  ]);
});

withManager(
  "the host hears of a pause and a resume, also of a server that is down",
  async (world) => {
    await world.write(STORE, { mcpServers: { a: good("a") } });
    const rows: ServerView[] = [];
    await using host = await held(world, { onServer: (row) => void rows.push(row) });
    await host.session.manager.disconnectServer("a");
    rows.length = 0;
    await host.session.pause("a");
    assert.deepEqual(rows.map(({ state, paused }) => [state, paused]), [["paused", true]]);
    await host.session.resume("a");
    assert.equal(rows.at(-1)?.paused, false);
    assert.equal(host.state("a"), "connected");
  },
);

withManager("an approval that is taken back reaches the host's own tools", async (world) => {
  const server = good("a");
  await world.write(STORE, { mcpServers: { a: { ...server, autoApprove: ["echo"] } } });
  const given: boolean[][] = [];
  await using host = await held(world, {
    hostTools: {
      refresh: (tools) => Promise.resolve(given.push(tools.map((tool) => tool.autoApprove))),
    },
  });
  await world.write(STORE, { mcpServers: { a: server } });
  const report = await host.session.reload();
  assert.deepEqual(given, [[true, false], [false, false]]);
  assert.deepEqual([report.changed, report.host], [["mcp_a_echo"], "refreshed"]);
});

withManager("an aborted start gives the host nothing and leaves nothing", async (world) => {
  await world.write(STORE, { mcpServers: { a: good("a"), b: trap("hang"), c: sdkServer("dual") } });
  let given = 0;
  const ending = new AbortController();
  const starting = createSession({
    cwd: world.project,
    machine: world.machine,
    signal: ending.signal,
    onServer: ({ name, state }) => void (name === "a" && state === "connected" && ending.abort()),
    hostTools: { refresh: () => (given++, new Promise(() => {})) },
  });
  await assert.rejects(starting, { code: "aborted" });
  assert.equal(given, 0);
  const sessions = join(world.state, "sessions");
  assert.deepEqual(await Array.fromAsync(Deno.readDir(sessions)), []);
});

withManager("the signal of the start has no say afterwards", async (world) => {
  await world.write(STORE, { mcpServers: { a: good("a") } });
  const ending = new AbortController();
  await using host = await held(world, { signal: ending.signal });
  ending.abort();
  await host.session.manager.disconnectAll();
  await host.session.manager.discoverAndConnect();
  assert.equal(host.state("a"), "connected");
});

withManager("tools that somebody still holds fail softly after the end", async (world) => {
  await world.write(STORE, { mcpServers: { a: good("a") } });
  const host = await held(world);
  const agent = host.session.delegate();
  const [tool] = host.session.tools;
  await host.session.close();
  assert.deepEqual([agent.tools, host.session.tools], [[], []]);
  const results = [
    await agent.executor.execute("mcp_a_echo", { text: "x" }),
    await host.session.executor.execute("mcp_a_echo", { text: "x" }),
    await tool?.execute({ text: "x" }),
  ];
  assert.deepEqual(results.map((result) => result?.isError), [true, true, true]);
});

withManager(
  "a restart does not wait for calls, and says of each that nobody knows",
  async (world) => {
    await world.write(STORE, { mcpServers: { a: trap("late", "30000") } });
    await using host = await held(world);
    const call = host.session.executor.execute("mcp_a_go", {});
    await host.session.manager.ping("a");
    const report = await host.session.reload({ restart: true });
    assert.deepEqual(report.servers.map(({ action, state }) => [action, state]), [
      ["restarted", "connected"],
    ]);
    assert.match(JSON.stringify((await call).content), /MCP error: outcome unknown/);
  },
);

withManager(
  "what the policy forbids meanwhile is ended by a reload, and comes back",
  async (world) => {
    await world.write(STORE, { mcpServers: { a: good("a"), b: good("b") } });
    const path = join(world.root, "etc", "managed.json");
    await using host = await held(world, { policy: { path, ownerUid: null } });
    await world.write("etc/managed.json", { deniedServers: [{ serverName: "a" }] });
    const report = await host.session.reload();
    assert.deepEqual(report.servers.map(({ name, action, state }) => [name, action, state]), [
      ["a", "stopped", "blocked"],
      ["b", "kept", "connected"],
    ]);
    assert.deepEqual(of(host.names(), "a"), []);
    await Deno.remove(path);
    const back = await host.session.reload();
    assert.deepEqual([host.state("a"), of(back.added, "a").length], ["connected", 2]);
  },
);

import assert from "node:assert/strict";
import { npmServer, sdkServer, trap } from "../harness/servers.ts";
import { withManager } from "../runtime/running_manager.ts";
import { held, of } from "./held_session.ts";
import { good, STORE } from "./watching_manager.ts";

withManager(
  "a reload starts what is new, ends what is gone, restarts what differs and keeps the rest [G07] [G17]",
  async (world) => {
    const servers = { kept: sdkServer("dual"), edited: good("edited"), gone: good("gone") };
    await world.write(STORE, { mcpServers: servers });
    await using host = await held(world);
    const before = { kept: host.pid("kept"), edited: host.pid("edited") };
    assert.equal(host.session.generation, 1);
    const { kept } = servers;
    await world.write(STORE, {
      mcpServers: { kept, edited: npmServer("memory"), fresh: npmServer("everything") },
    });
    const report = await host.session.reload();
    assert.equal(host.pid("kept"), before.kept);
    assert.notEqual(host.pid("edited"), before.edited);
    assert.deepEqual(report.servers.map(({ name, action, state }) => [name, action, state]), [
      ["kept", "kept", "connected"],
      ["edited", "restarted", "connected"],
      ["fresh", "started", "connected"],
      ["gone", "stopped", "disconnected"],
    ]);
    assert.equal(host.told.length, 1, "the tool set is exchanged once");
    assert.equal(report.generation, 2);
    assert.equal(report.host, "refreshed");
    assert.equal(report.after, host.session.tools.length);
    assert.deepEqual(host.told[0]?.set.tools, host.session.tools);
    assert.deepEqual(of(report.removed, "gone"), report.removed.filter((n) => n.includes("gone")));
    assert.ok(of(report.added, "fresh").length > 5 && of(report.added, "edited").length > 5);
    assert.deepEqual(report.errors, []);
  },
);

withManager(
  "a reload of an unchanged config asks every server for its lists and exchanges nothing",
  async (world) => {
    await world.write(STORE, { mcpServers: { a: good("a"), b: sdkServer("legacy") } });
    await using host = await held(world);
    const before = [host.pid("a"), host.pid("b"), host.session.tools];
    const report = await host.session.reload();
    assert.deepEqual([host.pid("a"), host.pid("b"), host.session.tools], before);
    assert.deepEqual(report.servers.map(({ action }) => action), ["kept", "kept"]);
    assert.deepEqual([report.added, report.removed, report.changed, report.host], [
      [],
      [],
      [],
      null,
    ]);
    assert.equal(host.told.length, 0);
  },
);

withManager(
  "a named server is restarted though nothing of it differs, an unknown one is refused",
  async (world) => {
    await world.write(STORE, { mcpServers: { a: good("a"), b: good("b") } });
    await using host = await held(world);
    const [a, b] = [host.pid("a"), host.pid("b")];
    const report = await host.session.reload({ servers: ["a"] });
    assert.notEqual(host.pid("a"), a);
    assert.equal(host.pid("b"), b);
    assert.deepEqual(report.servers.map(({ action }) => action), ["restarted", "kept"]);
    await assert.rejects(host.session.reload({ servers: ["c"] }), { code: "unknown-server" });
  },
);

withManager("a reload with restart ends every process and starts all anew", async (world) => {
  await world.write(STORE, { mcpServers: { a: good("a"), b: sdkServer("dual") } });
  await using host = await held(world);
  const [a, b, tools] = [host.pid("a"), host.pid("b"), host.names()];
  const report = await host.session.reload({ restart: true });
  assert.ok(host.pid("a") !== a && host.pid("b") !== b);
  assert.deepEqual(host.names(), tools);
  assert.deepEqual(report.servers.map(({ action, state }) => [action, state]), [
    ["restarted", "connected"],
    ["restarted", "connected"],
  ]);
  assert.equal(host.told.length, 0, "the tools are the same");
});

withManager("a broken config keeps the old tool set and says so", async (world) => {
  const path = await world.write(STORE, { mcpServers: { a: good("a") } });
  await using host = await held(world);
  const [a, tools] = [host.pid("a"), host.names()];
  await world.write(STORE, '{ "mcpServers": { "a": ');
  const report = await host.session.reload();
  assert.equal(host.pid("a"), a);
  assert.deepEqual(host.names(), tools);
  assert.deepEqual(report.errors.map((error) => [error.path, error.error.code]), [
    [path, "config-malformed"],
  ]);
  const hint = "Correct the file; until then what it said before is in force";
  assert.equal(report.errors[0]?.error.hint, hint);
  await world.write(STORE, { mcpServers: {} });
  await host.session.reload();
  assert.deepEqual(host.names(), []);
});

withManager(
  "a reload tells of servers that wait for their user or are declared wrongly",
  async (world) => {
    await world.write(STORE, { mcpServers: { a: good("a") } });
    await using host = await held(world);
    await world.write(STORE, { mcpServers: { a: good("a"), wrong: { args: "x" } } });
    await world.write("project/.mcp.json", { mcpServers: { theirs: good("theirs") } });
    const report = await host.session.reload();
    const rows = report.servers.map(({ name, action, state }) => `${name} ${action} ${state}`);
    assert.deepEqual(rows.toSorted(), [
      "a kept connected",
      "theirs none untrusted",
      "wrong none error",
    ]);
    await world.write(STORE, {
      mcpServers: { a: good("a"), off: { ...good("off"), enabled: false }, wrong: { args: "x" } },
    });
    // What is new and does not run is told of once, what its user must look after each time.
    const again = async () =>
      (await host.session.reload()).servers.map(({ name }) => name).toSorted();
    assert.deepEqual(await again(), ["a", "off", "theirs", "wrong"]);
    assert.deepEqual(await again(), ["a", "theirs", "wrong"]);
    const waits = report.servers.find(({ name }) => name === "theirs");
    assert.match(waits?.error?.hint ?? "", /mcp trust theirs/);
    assert.deepEqual(report.errors.map(({ path }) => path), ["mcp:wrong"]);
    // What is done with one server says nothing of the others.
    assert.deepEqual((await host.session.pause("a")).servers.map(({ name }) => name), ["a"]);
  },
);

withManager(
  "one server that hangs keeps the tools of others away no longer than 10 seconds",
  async (world) => {
    await world.write(STORE, { mcpServers: { a: good("a") } });
    await using host = await held(world);
    const hung = { ...trap("hang"), startupTimeout: 60_000 };
    await world.write(STORE, { mcpServers: { a: good("a"), hung, b: sdkServer("dual") } });
    const ending = new AbortController();
    const reloading = host.session.reload({}, { signal: ending.signal });
    const startedAt = performance.now();
    while (of(host.names(), "b").length === 0 && performance.now() - startedAt < 20_000) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.ok(of(host.names(), "b").length > 0);
    ending.abort();
    await assert.rejects(reloading, { code: "aborted" });
  },
);

withManager("a server that comes late joins by itself and the host is told", async (world) => {
  await world.write(STORE, { mcpServers: { slow: trap("slow", "700"), a: good("a") } });
  await using host = await held(world, { onMissingCache: "late", gateMs: 300 });
  await host.session.settled();
  assert.equal(host.state("slow"), "connected");
  assert.ok(of(host.names(), "slow").length > 0);
});

withManager(
  "a paused server loses its tools, also over a reload, until it is resumed",
  async (world) => {
    await world.write(STORE, { mcpServers: { a: good("a"), b: good("b") } });
    await using host = await held(world);
    const all = host.names();
    const paused = await host.session.pause("a");
    assert.deepEqual(paused.removed, of(all, "a"));
    assert.deepEqual([host.state("a"), of(host.names(), "a")], ["paused", []]);
    assert.equal(host.session.status().servers[0]?.paused, true);
    const reloaded = await host.session.reload();
    assert.deepEqual(reloaded.servers.filter(({ action }) => action !== "kept"), [
      { name: "a", action: "stopped", state: "paused", tools: null, error: null },
    ]);
    assert.equal(host.state("a"), "paused");
    await assert.rejects(host.session.retry("a"), { code: "server-not-runnable" });
    const resumed = await host.session.resume("a");
    assert.deepEqual(resumed.added, of(all, "a"));
    assert.deepEqual([host.state("a"), host.names()], ["connected", all]);
    const again = await host.session.resume("a");
    assert.deepEqual([again.added, again.servers[0]?.action], [[], "kept"]);
    await assert.rejects(host.session.pause("c"), { code: "unknown-server" });
  },
);

withManager("a retry starts a server anew by what its file says now", async (world) => {
  await world.write(STORE, { mcpServers: { a: trap("dead"), b: good("b") } });
  await using host = await held(world);
  const b = host.pid("b");
  assert.equal(host.state("a"), "error");
  const failed = await host.session.retry("a");
  assert.deepEqual(failed.errors.map(({ path }) => path), ["mcp:a"]);
  await world.write(STORE, { mcpServers: { a: sdkServer("dual"), b: good("b") } });
  const report = await host.session.retry("a");
  assert.deepEqual([host.state("a"), host.pid("b")], ["connected", b]);
  assert.ok(report.added.length > 0);
});

withManager(
  "servers of an ACP client take the place of all local ones, or stand above them",
  async (world) => {
    await world.write(STORE, { mcpServers: { local: good("local"), both: good("both") } });
    const { command, args, env } = good("acp");
    const list = Object.entries(env).map(([name, value]) => ({ name, value }));
    const mcpServers = [{ name: "both", command, args, env: list }];
    await using alone = await held(world, { mcpServers });
    assert.deepEqual(alone.session.status().servers.map(({ name, source }) => [name, source?.id]), [
      ["both", "acp"],
    ]);
    assert.equal(alone.state("both"), "connected");
    await using merged = await held(world, { mcpServers, acp: "merge" });
    assert.deepEqual(
      merged.session.status().servers.map(({ name, source }) => [name, source?.id]).toSorted(),
      [["both", "acp"], ["local", "claude-code"]],
    );
    await using none = await held(world, { mcpServers: [] });
    assert.deepEqual(none.session.status().servers, []);
  },
);

withManager("a host that throws or hangs keeps nothing from going on", async (world) => {
  await world.write(STORE, { mcpServers: { a: good("a") } });
  await using host = await held(world, {
    onRefresh: () => {
      throw new Error("no");
    },
  });
  await world.write(STORE, { mcpServers: { a: good("a"), b: good("b") } });
  const report = await host.session.reload();
  assert.equal(report.host, "failed");
  assert.equal(host.state("b"), "connected");
});

withManager("a server that the host leaves out is a row that says why", async (world) => {
  await world.write(STORE, { mcpServers: { a: good("a"), b: good("b") } });
  await using host = await held(world, {
    leaveOut: ({ name }) => name === "a" ? "The host starts it itself" : null,
  });
  const [a] = host.session.status().servers;
  assert.deepEqual([a?.state, a?.error?.message], ["filtered", "The host starts it itself"]);
  assert.deepEqual(of(host.names(), "a"), []);
  await host.session.reload();
  assert.equal(host.state("a"), "filtered");
});

withManager("a session can be ended twice, and nothing of it works any more", async (world) => {
  await world.write(STORE, { mcpServers: { a: good("a") } });
  const { session } = await held(world);
  await Promise.all([session.close(), session.close()]);
  await session.close();
  await assert.rejects(session.reload(), { code: "not-connected" });
});

withManager(
  "a change of the file is one exchange of the tool set, of which the host hears once",
  async (world) => {
    await world.write(STORE, { mcpServers: { a: good("a"), b: good("b") } });
    await using host = await held(world, { watch: true });
    const before = host.session.toolSet;
    await world.write(STORE, { mcpServers: { a: good("a"), c: good("c"), d: sdkServer("dual") } });
    const deadline = performance.now() + 10_000;
    while (host.told.length === 0 && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await host.session.settled();
    assert.equal(host.told.length, 1);
    const { set, diff } = host.told[0] ?? assert.fail("nothing was told");
    assert.deepEqual([set.generation, set.tools], [before.generation + 1, host.session.tools]);
    assert.deepEqual(diff.removed, of(before.tools.map(({ name }) => name), "b"));
    assert.ok(of(diff.added, "c").length > 0 && of(diff.added, "d").length > 0);
  },
);

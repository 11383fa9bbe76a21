import assert from "node:assert/strict";
import type { Source } from "../../src/sources/source.ts";
import { acpDefinition } from "../../src/sources/acp.ts";
import { type ServerCommand, trap } from "../harness/servers.ts";
import { withManager } from "../runtime/running_manager.ts";
import { held, of } from "./held_session.ts";
import { good, STORE, until } from "./watching_manager.ts";

/** A source of the host's own that says what it is told to, and may be slow about it. */
class OwnSource implements Source {
  readonly id = "own";
  readonly label = "Own";
  servers: Readonly<Record<string, ServerCommand>> = {};
  reads = 0;
  /** What the next reading waits for, after it has looked. */
  gate: Promise<unknown> | null = null;

  async read(): ReturnType<Source["read"]> {
    this.reads++;
    const definitions = Object.entries(this.servers).map(([name, config], index) => {
      const env = Object.entries(config.env).map(([key, value]) => ({ name: key, value }));
      return acpDefinition({ name, ...config, env }, index);
    });
    const { gate } = this;
    this.gate = null;
    await gate;
    return { definitions, reports: [], switches: [] };
  }
}

/** What would fail a test by itself when another assertion ends it first. */
function quiet<Value>(work: Promise<Value>): Promise<Value> {
  work.catch(() => {});
  return work;
}

withManager(
  "two reloads at once are one exchange, and both say what it was",
  async (world) => {
    await world.write(STORE, { mcpServers: { a: good("a") } });
    await using host = await held(world);
    await world.write(STORE, { mcpServers: { a: good("a"), b: good("b") } });
    const first = host.session.reload();
    const second = host.session.reload({ servers: ["a"] });
    const reports = await Promise.all([first, second]);
    for (const { added, before, after, generation, host: outcome } of reports) {
      assert.deepEqual(added, of(host.names(), "b"));
      assert.deepEqual([before, after, generation], [2, 4, 2]);
      assert.equal(outcome, "refreshed");
    }
    assert.equal(host.told.length, 1);
  },
);

withManager("a pause takes the tools at once, also while a reload holds them", async (world) => {
  await world.write(STORE, { mcpServers: { a: good("a"), b: good("b") } });
  await using host = await held(world);
  const slow = trap("slow", "3000");
  await world.write(STORE, { mcpServers: { a: good("a"), b: good("b"), slow } });
  const reloading = quiet(host.session.reload());
  await until("the slow one is on its way", () => host.state("slow") === "connecting");
  const paused = await host.session.pause("a");
  assert.equal(host.state("slow"), "connecting");
  assert.equal(paused.removed.length, 2);
  assert.deepEqual(of(host.names(), "a"), []);
  assert.deepEqual([paused.before, paused.after, paused.host], [4, 2, "refreshed"]);
  assert.deepEqual(of(host.names(), "slow"), [], "the reload is still one exchange");
  const report = await reloading;
  assert.equal(of(report.added, "slow").length, 2);
  assert.deepEqual(of(host.names(), "a"), []);
});

withManager("what a watch has read never undoes a reload that has read later", async (world) => {
  const source = new OwnSource();
  source.servers = { a: good("old") };
  const gate = Promise.withResolvers<void>();
  await using host = await held(world, { watch: true, extraSources: [source] });
  source.gate = gate.promise;
  await until("the watch looks", () => source.reads === 2);
  source.servers = { a: good("new"), b: good("b") };
  const reloading = quiet(host.session.reload());
  gate.resolve();
  const report = await reloading;
  assert.deepEqual(report.servers.map(({ action }) => action), ["restarted", "started"]);
  await host.session.settled();
  await host.session.pause("b");
  assert.deepEqual(host.session.configs?.configs["a"]?.args?.at(-1), "new");
  assert.deepEqual(host.session.status().servers.map(({ name }) => name), ["a", "b"]);
});

withManager("a restart that is aborted ends no server", async (world) => {
  await world.write(STORE, { mcpServers: { a: good("a"), b: trap("slow", "1000") } });
  await using host = await held(world);
  const aborting = new AbortController();
  const reloading = quiet(host.session.reload({ restart: true }, { signal: aborting.signal }));
  await until("it is on its way", () => host.state("b") === "connecting");
  aborting.abort();
  await assert.rejects(reloading, { code: "aborted" });
  await host.session.settled();
  assert.deepEqual([host.state("a"), host.state("b")], ["connected", "connected"]);
  assert.equal(host.names().length, 4);
});

withManager("who aborts does not wait for what stands before him in the line", async (world) => {
  const source = new OwnSource();
  await using host = await held(world, { extraSources: [source] });
  const gate = Promise.withResolvers<void>();
  source.gate = gate.promise;
  const hanging = quiet(host.session.reload());
  await until("it looks", () => source.reads === 2);
  await assert.rejects(
    host.session.reload({}, { signal: AbortSignal.timeout(50) }),
    { code: "aborted" },
  );
  // A source that hangs holds nobody who has had enough of it.
  await Promise.all([assert.rejects(hanging, { code: "aborted" }), host.session.close()]);
  const never = new OwnSource();
  never.gate = new Promise(() => {});
  const signal = AbortSignal.timeout(50);
  await assert.rejects(held(world, { extraSources: [never], signal }), { code: "aborted" });
});

withManager("an end in the middle of a reload ends both soon", async (world) => {
  await world.write(STORE, { mcpServers: { a: good("a") } });
  const { session, state } = await held(world, { watch: true });
  await world.write(STORE, { mcpServers: { a: good("a"), b: trap("hang"), c: good("c") } });
  const work = [session.reload(), session.reload({ restart: true }), session.pause("a")].map(quiet);
  await until("it is on its way", () => state("b") === "connecting");
  const startedAt = performance.now();
  await session.close();
  const ends = await Promise.allSettled(work);
  assert.ok(performance.now() - startedAt < 8_000);
  const codes = ends.map((end) => end.status === "rejected" ? end.reason.code : "done");
  assert.deepEqual(codes.slice(0, 2), ["aborted", "aborted"]);
  assert.deepEqual(session.tools, []);
});

withManager("two sessions of one process share nothing but the machine", async (world) => {
  await world.write(STORE, { mcpServers: { a: good("a") } });
  await using one = await held(world);
  const two = await held(world);
  assert.notEqual(one.pid("a"), two.pid("a"));
  const pid = one.pid("a");
  await two.session.pause("a");
  assert.deepEqual([one.state("a"), two.state("a"), two.told.length], ["connected", "paused", 1]);
  await two.session.resume("a");
  await two.session.close();
  assert.deepEqual([one.pid("a"), one.state("a"), one.told.length], [pid, "connected", 0]);
  assert.equal((await one.session.executor.execute("mcp_a_echo", { text: "x" })).isError, false);
});

withManager("a name that a clash has taken away is still understood", async (world) => {
  await world.write(STORE, { mcpServers: { "a.b": good("first") } });
  await using host = await held(world);
  assert.ok(host.names().includes("mcp_a_b_echo"));
  await world.write(STORE, { mcpServers: { a_b: good("second"), "a.b": good("first") } });
  const reloading = quiet(host.session.reload());
  await until("the newcomer is there", () => host.state("a_b") === "connected");
  const during = await host.session.executor.execute("mcp_a_b_echo", { text: "x" });
  const report = await reloading;
  assert.equal(report.added.length, 4);
  assert.ok(!host.names().includes("mcp_a_b_echo"));
  const after = await host.session.executor.execute("mcp_a_b_echo", { text: "x" });
  assert.deepEqual([during, after].map(({ isError, details }) => [isError, details.server]), [
    [false, "a.b"],
    [false, "a.b"],
  ]);
});

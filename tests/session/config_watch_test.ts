import assert from "node:assert/strict";
import { join } from "node:path";
import { updateTrust } from "../../src/plan/trust_store.ts";
import { hotplugFolders } from "../../src/platform/folders.ts";
import { npmServer } from "../harness/servers.ts";
import { withManager } from "../runtime/running_manager.ts";
import { good, pause, stays, STORE, until, watching } from "./watching_manager.ts";

withManager(
  "of three servers only the edited one gets a new process, by what the file says now [C3] [G03] [G07] [G17]",
  async (world) => {
    const servers = { a: good("a"), b: good("b"), c: good("c") };
    await world.write(STORE, { mcpServers: servers });
    await using watched = await watching(world);
    const before = ["a", "b", "c"].map(watched.pid);
    const next = { ...servers, b: npmServer("memory") };
    // As editors and jq do: another file is put in its place.
    await world.write("home/t", { mcpServers: next });
    await Deno.rename(join(world.home, "t"), join(world.home, ".claude.json"));
    await until("b restarts", () => watched.reports.length > 0);
    assert.deepEqual(watched.reports, [
      { started: [], stopped: [], restarted: ["b"], kept: ["a", "c"], errors: [] },
    ]);
    const after = ["a", "b", "c"].map(watched.pid);
    assert.deepEqual([after[0], after[2]], [before[0], before[2]]);
    assert.ok(after[1] !== null && after[1] !== before[1]);
    assert.ok(watched.names().includes("mcp_b_create_entities"), String(watched.names()));
    // And the next time, though the watched file is another one now.
    await world.write(STORE, { mcpServers: servers });
    await until("b restarts again", () => watched.reports.length > 1);
    assert.deepEqual(watched.reports[1]?.restarted, ["b"]);
    assert.deepEqual([watched.pid("a"), watched.pid("c")], [before[0], before[2]]);
  },
);

withManager(
  "servers that are added, removed and switched off follow the file [C3]",
  async (world) => {
    await world.write(STORE, { mcpServers: { a: good("a"), b: good("b") } });
    await using watched = await watching(world);
    const pid = watched.pid("a");
    await world.write(STORE, { mcpServers: { a: good("a"), c: good("c") } });
    await until("b goes and c comes", () => watched.reports.length > 0);
    assert.deepEqual(watched.reports[0], {
      started: ["c"],
      stopped: ["b"],
      restarted: [],
      kept: ["a"],
      errors: [],
    });
    assert.equal(watched.state("b"), undefined);
    assert.equal(watched.state("c"), "connected");
    await world.write(STORE, {
      mcpServers: { a: good("a"), c: { ...good("c"), enabled: false } },
    });
    await until("c stops", () => watched.state("c") === "disabled");
    await until("it is told", () => watched.reports.length > 1);
    assert.deepEqual(watched.reports[1]?.stopped, ["c"]);
    assert.equal(watched.pid("a"), pid);
    assert.ok(watched.names().every((name) => name.startsWith("mcp_a_")));
  },
);

withManager(
  "a broken file leaves all servers as they are and is told once, while its siblings take effect [C3]",
  async (world) => {
    const path = await world.write(STORE, { mcpServers: { a: good("a"), b: good("b") } });
    await using watched = await watching(world);
    const before = ["a", "b"].map(watched.pid);
    await world.write(STORE, '{ "mcpServers": { "a": ');
    await until("it is told", () => watched.reports.length > 0);
    assert.deepEqual(watched.reports[0]?.errors.map((error) => error.path), [path]);
    assert.deepEqual(watched.reports[0]?.kept, ["a", "b"]);
    assert.equal(watched.warnings.length, 1);
    await world.write("home/.cursor/mcp.json", { mcpServers: { other: good("other") } });
    await until("the sibling starts", () => watched.state("other") === "connected");
    assert.deepEqual(["a", "b"].map(watched.pid), before);
    assert.equal(watched.warnings.length, 1);
    await world.write(STORE, { mcpServers: { a: good("a") } });
    await until("b goes", () => watched.state("b") === undefined);
    assert.equal(watched.pid("a"), before[0]);
  },
);

withManager(
  "a file written in two halves, or away for a moment, drops no server; away for good it does [G04]",
  async (world) => {
    const path = await world.write(STORE, { mcpServers: { a: good("a") } });
    await using watched = await watching(world);
    const pid = watched.pid("a");
    const text = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, "");
    await pause(300);
    await Deno.writeTextFile(path, text.slice(0, text.length / 2));
    await pause(300);
    await Deno.writeTextFile(path, text);
    await pause(400);
    await Deno.remove(path);
    await pause(500);
    await Deno.writeTextFile(path, text);
    await pause(300);
    assert.equal(watched.pid("a"), pid);
    assert.deepEqual(
      watched.reports.flatMap(({ stopped, restarted }) => [...stopped, ...restarted]),
      [],
    );
    const before = performance.now();
    await Deno.remove(path);
    await until("a stops", () => watched.state("a") === undefined);
    assert.ok(performance.now() - before >= 1_900);
  },
);

withManager(
  "a file that is written anew with the same servers has no effect [G06]",
  async (world) => {
    await world.write(STORE, { mcpServers: { a: good("a") }, projects: {} });
    await using watched = await watching(world);
    const pid = watched.pid("a");
    await pause(300);
    const changes = watched.toolChanges();
    await world.write(STORE, { numStartups: 7, mcpServers: { a: good("a") } });
    await stays(watched);
    await world.write(STORE, JSON.stringify({ mcpServers: { a: good("a") } }));
    await stays(watched);
    assert.deepEqual([watched.pid("a"), watched.reports, watched.toolChanges()], [
      pid,
      [],
      changes,
    ]);
  },
);

withManager("filters and approvals take effect without a restart [G07]", async (world) => {
  await world.write(STORE, { mcpServers: { a: good("a") } });
  await using watched = await watching(world);
  const pid = watched.pid("a");
  const [first] = watched.manager.listTools("a");
  assert.ok(first !== undefined);
  await world.write(STORE, { mcpServers: { a: { ...good("a"), disabledTools: [first.name] } } });
  await until("the tool goes", () => !watched.names().includes(`mcp_a_${first.name}`));
  assert.equal(watched.pid("a"), pid);
  await world.write(STORE, { mcpServers: { a: { ...good("a"), autoApprove: [first.name] } } });
  await until(
    "it is approved",
    () => watched.manager.getTools().some(({ autoApprove }) => autoApprove),
  );
  assert.equal(watched.pid("a"), pid);
});

withManager(
  "an edited file of variables restarts its server alone, and may be away for a moment [G13]",
  async (world) => {
    const envFile = await world.write("home/token.env", "TOKEN=one\n");
    await world.write(STORE, {
      mcpServers: { a: { ...good("a"), envFile }, b: good("b") },
    });
    await using watched = await watching(world);
    const before = ["a", "b"].map(watched.pid);
    await Deno.remove(envFile);
    await pause(400);
    await world.write("home/token.env", "TOKEN=one\n");
    await stays(watched);
    assert.deepEqual(["a", "b"].map(watched.pid), before);
    await world.write("home/token.env", "TOKEN=two\n");
    await until("a restarts", () => watched.reports.length > 0);
    assert.deepEqual(watched.reports[0], {
      started: [],
      stopped: [],
      restarted: ["a"],
      kept: ["b"],
      errors: [],
    });
    assert.equal(watched.pid("b"), before[1]);
    assert.notEqual(watched.pid("a"), before[0]);
  },
);

withManager("a removed approval ends its server at once, a given one starts it", async (world) => {
  await world.write("project/.hotplug/workspace.json", { enabledMcpServers: ["a"] });
  await world.write(join(world.config, "mcp.json"), { mcpServers: { a: good("a") } });
  const folders = hotplugFolders(world.machine);
  const approve = (names: readonly string[]): Promise<void> =>
    updateTrust(folders, world.project, (trust) => ({ ...trust, enabled: names }));
  await using watched = await watching(world);
  assert.equal(watched.state("a"), "untrusted");
  await approve(["a"]);
  await until("a starts", () => watched.state("a") === "connected");
  const before = performance.now();
  await approve([]);
  await until("a ends", () => watched.state("a") === "untrusted");
  assert.ok(performance.now() - before < 1_500);
  assert.deepEqual(watched.names(), []);
});

withManager(
  "a policy that forbids a server ends it at once, and one that lets it starts it",
  async (world) => {
    const path = await world.write("etc/managed.json", {});
    await world.write(STORE, { mcpServers: { a: good("a"), b: good("b") } });
    await using watched = await watching(world, { policy: { path, ownerUid: null } });
    const pid = watched.pid("b");
    await pause(300);
    await world.write("etc/managed.json", { deniedServers: [{ name: "a" }] });
    await until("a ends", () => watched.state("a") === "blocked");
    await until("it is told", () => watched.reports.length > 0);
    assert.deepEqual(watched.reports[0]?.stopped, ["a"]);
    await world.write("etc/managed.json", {});
    await until("a starts", () => watched.state("a") === "connected");
    assert.equal(watched.pid("b"), pid);
  },
);

import assert from "node:assert/strict";
import { join } from "node:path";
import type { Machine } from "../../src/model/machine.ts";
import { hotplugFolders } from "../../src/platform/folders.ts";
import { trustFile } from "../../src/plan/trust_store.ts";
import { ABSENCE_MS, type ConfigLook, ConfigReader } from "../../src/session/config_reader.ts";
import { machineOf, makeTempHome, type TempHome } from "../harness/temp_home.ts";

interface Reading extends TempHome {
  readonly machine: Machine;
  readonly policy: string;
  readonly clock: { now: number };
  readonly reader: ConfigReader;
  look(): Promise<ConfigLook>;
}

function withReader(name: string, test: (reading: Reading) => Promise<void>): void {
  Deno.test(name, async () => {
    const temp = await makeTempHome();
    const machine = machineOf(temp);
    const clock = { now: 1_000_000 };
    const policy = join(temp.root, "etc", "managed.json");
    const folders = hotplugFolders(machine);
    const load = { machine, folders, policy: { path: policy, ownerUid: null } };
    const reader = new ConfigReader({ load, now: () => clock.now });
    try {
      await test({ ...temp, machine, policy, clock, reader, look: () => reader.look() });
    } finally {
      await temp.remove();
    }
  });
}

function names({ loaded }: ConfigLook): readonly string[] {
  return Object.keys(loaded.configs);
}

const STORE = "home/.claude.json";
const SERVERS = { a: { command: "a" }, b: { command: "b" } };

withReader("everything that a plan depends on is named, there or not [G03]", async (world) => {
  const envFile = join(world.home, "token.env");
  await world.write(STORE, { mcpServers: { a: { command: "a", envFile } } });
  const { paths } = await world.look();
  const all = new Set(paths.map(({ path }) => path));
  const expected = [
    join(world.home, ".claude.json"),
    join(world.home, ".cursor", "mcp.json"),
    join(world.project, ".mcp.json"),
    join(world.project, ".hotplug", "workspace.json"),
    join(world.config, "mcp.json"),
    join(world.config, "settings.json"),
    trustFile(hotplugFolders(world.machine)),
    world.policy,
    envFile,
  ];
  assert.deepEqual(expected.filter((path) => !all.has(path)), []);
  const folders = paths.filter(({ isFolder }) => isFolder === true).map(({ path }) => path);
  assert.ok(!folders.includes(world.home), "the whole home folder would be watched");
});

withReader(
  "a broken file says what it said before, and its report what is wrong",
  async (world) => {
    const path = await world.write(STORE, { mcpServers: SERVERS });
    await world.look();
    for (const text of ['{ "mcpServers": {', "[]", '{ "mcpServers": { "a": {} } ']) {
      await world.write(STORE, text);
      const look = await world.look();
      assert.deepEqual(names(look), ["a", "b"], text);
      const reports = look.loaded.plan.sources.filter((source) => source.path === path);
      assert.ok(reports.length > 0);
      assert.ok(reports.every(({ state, error }) => state === "malformed" && error !== null), text);
      world.clock.now += 60_000;
    }
    await world.write(STORE, { mcpServers: { a: { command: "a" } } });
    assert.deepEqual(names(await world.look()), ["a"]);
  },
);

withReader("a file that was never good has nothing to say", async (world) => {
  await world.write(STORE, "{");
  assert.deepEqual(names(await world.look()), []);
});

withReader("a file that is away or empty counts as such after two seconds [G04]", async (world) => {
  for (
    const away of [() => Deno.remove(join(world.root, STORE)), () => world.write(STORE, " \n")]
  ) {
    await world.write(STORE, { mcpServers: SERVERS });
    assert.equal((await world.look()).againIn, null);
    await away();
    const first = await world.look();
    assert.deepEqual([names(first), first.againIn], [["a", "b"], ABSENCE_MS]);
    world.clock.now += ABSENCE_MS - 1;
    const second = await world.look();
    assert.deepEqual([names(second), second.againIn], [["a", "b"], 1]);
    world.clock.now += 1;
    const third = await world.look();
    assert.deepEqual([names(third), third.againIn], [[], null]);
  }
});

withReader(
  "a file of variables that is away lets nothing be decided for a while",
  async (world) => {
    const envFile = await world.write("home/token.env", "A=1\n");
    await world.write(STORE, { mcpServers: { a: { command: "a", envFile } } });
    assert.equal((await world.look()).isTorn, false);
    await Deno.remove(envFile);
    const look = await world.look();
    assert.deepEqual([look.isTorn, look.againIn], [true, ABSENCE_MS]);
    world.clock.now += ABSENCE_MS;
    assert.equal((await world.look()).isTorn, false);
  },
);

withReader("broken approvals and a broken policy count as they are", async (world) => {
  const workspace = { enabledMcpServers: ["a"] };
  await world.write("project/.hotplug/workspace.json", workspace);
  await world.write(join(world.config, "mcp.json"), { mcpServers: SERVERS });
  const trust = trustFile(hotplugFolders(world.machine));
  const workspaces = { [world.project]: { folder: false, definitions: {}, enabled: ["a"] } };
  await world.write(trust, { version: 1, workspaces });
  await world.write(world.policy, {});
  await Deno.chmod(world.policy, 0o644);
  assert.deepEqual(names(await world.look()), ["a"]);
  await world.write(trust, "{");
  assert.deepEqual(names(await world.look()), []);
  await world.write(trust, { version: 1, workspaces });
  await world.write(world.policy, "{");
  assert.deepEqual(names(await world.look()), []);
});

withReader("a look that somebody gave up takes nothing of what is known [G04]", async (world) => {
  const path = await world.write(STORE, { mcpServers: SERVERS });
  await world.look();
  const asked = world.reader.look(AbortSignal.abort(), { isAsked: true });
  await assert.rejects(asked, { code: "aborted" });
  await Deno.remove(path);
  assert.deepEqual(names(await world.look()), ["a", "b"]);
  assert.deepEqual(names(await world.reader.look(undefined, { isAsked: true })), []);
});

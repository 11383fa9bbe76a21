import assert from "node:assert/strict";
import { approve, pendingApprovals } from "../../src/plan/approve.ts";
import { HotplugError } from "../../src/model/errors.ts";
import type { MCPManager } from "../../src/runtime/manager.ts";
import { createSession } from "../../src/session/create_session.ts";
import { discoverAndLoadMCPTools } from "../../src/session/loader.ts";
import { linesOf } from "../interceptors/hook_programs.ts";
import { trap } from "../harness/servers.ts";
import { until } from "../harness/until.ts";
import { type ManagerWorld, withManager } from "../runtime/running_manager.ts";
import { watching } from "./watching_manager.ts";

const shell = (script: string, more: object = {}): object => ({
  command: "/bin/sh",
  args: ["-c", script],
  ...more,
});

const veto = (reason: string): object => shell(`echo '${JSON.stringify({ veto: reason })}'`);

function settings(world: ManagerWorld, hooks: object): Promise<string> {
  return world.write(`${world.config}/settings.json`, { hooks });
}

async function codeOf(manager: MCPManager, tool = "echo"): Promise<string> {
  try {
    await manager.callTool("it", tool, { text: "x" });
    return "answered";
  } catch (thrown) {
    assert.ok(thrown instanceof HotplugError, `${thrown}`);
    return `${thrown.code}: ${thrown.message}`;
  }
}

withManager("the library asks the user's programs, then the host's functions", async (world) => {
  await world.write("home/.claude.json", { mcpServers: { it: trap("good") } });
  await settings(world, {
    "before-call": [shell(`cat > "$HOME/seen"; echo '{"arguments":{"text":"theirs"}}'`)],
    "after-call": [shell(`sleep 0.5; cat >> "$HOME/after"`)],
  });
  const seen: unknown[] = [];
  const { manager } = await discoverAndLoadMCPTools(world.project, {
    machine: world.machine,
    hooks: [{ beforeCall: ({ arguments: args }) => void seen.push(args) }],
  });
  const { content } = await manager.callTool("it", "echo", { text: "mine" });
  assert.match(JSON.stringify(content), /theirs/);
  assert.deepEqual(seen, [{ text: "theirs" }]);
  // The end waits for what is being told.
  await manager.disconnectAll();
  const [after] = await linesOf(`${world.home}/after`);
  assert.deepEqual([after?.["event"], after?.["tool"]], ["after-call", "echo"]);
  const [before] = await linesOf(`${world.home}/seen`);
  assert.deepEqual(before?.["arguments"], { text: "mine" });
  assert.equal((before?.["source"] as { readonly id: string }).id, "claude-code");
});

withManager("a session asks hooks, and takes new ones with a reload", async (world) => {
  await world.write("home/.claude.json", { mcpServers: { it: trap("good") } });
  await using session = await createSession({
    cwd: world.project,
    machine: world.machine,
    control: false,
  });
  assert.equal(await codeOf(session.manager), "answered");
  await settings(world, { "before-call": [veto("since the reload")] });
  assert.equal(await codeOf(session.manager), "answered");
  await session.reload();
  assert.match(await codeOf(session.manager), /^blocked-by-hook: .*since the reload$/);
  await settings(world, {});
  await session.reload();
  assert.equal(await codeOf(session.manager), "answered");
});

withManager("a watched file's hooks take effect, and stand while it is broken", async (world) => {
  await world.write("home/.claude.json", { mcpServers: { it: trap("good") } });
  await using watch = await watching(world);
  assert.equal(await codeOf(watch.manager), "answered");
  await settings(world, { "before-call": [veto("watched")] });
  await until(async () => /watched$/.test(await codeOf(watch.manager)));
  await world.write(`${world.config}/settings.json`, `{ "hooks": { "before-call": [`);
  await until(() => watch.reports.some(({ errors }) => errors.length > 0));
  assert.match(await codeOf(watch.manager), /watched$/);
});

withManager(
  "a repository's veto counts as long as it is approved as it is [H02]",
  async (world) => {
    const { machine, project } = world;
    const file = "project/.hotplug/hooks.json";
    await world.write("home/.claude.json", { mcpServers: { it: trap("good") } });
    await world.write(file, { "before-call": [veto("of the project")] });
    await using session = await createSession({ cwd: project, machine, control: false });
    assert.equal(await codeOf(session.manager), "answered");
    const { folders, hooks } = await pendingApprovals({ machine });
    await approve(folders, project, [], { hooks });
    await session.reload();
    assert.match(await codeOf(session.manager), /of the project$/);
    await world.write(file, { "before-call": [veto("changed")] });
    await session.reload();
    assert.equal(await codeOf(session.manager), "answered");
  },
);

withManager("servers that a program prints follow it, and stay while it fails", async (world) => {
  const list = `${world.home}/servers.json`;
  const write = (names: readonly string[]): Promise<string> =>
    world.write(list, {
      mcpServers: Object.fromEntries(names.map((name) => [name, trap("good", name)])),
    });
  await write(["it"]);
  await settings(world, { discover: [shell(`cat "$HOME/servers.json"`)] });
  const { machine, project } = world;
  await using session = await createSession({ cwd: project, machine, control: false });
  const names = (): readonly string[] =>
    session.manager.getServers().filter(({ state }) => state === "connected").map(({ name }) =>
      name
    );
  assert.deepEqual(names(), ["it"]);
  await write(["it", "second"]);
  await session.reload();
  assert.deepEqual(names(), ["it", "second"]);
  await Deno.remove(list);
  const { errors } = await session.reload();
  assert.match(errors[0]?.error.message ?? "", /^Cannot ask the hook "sh" .* ended with status 1$/);
  assert.deepEqual(names(), ["it", "second"]);
});

withManager(
  "a broken veto hook stops what it would be asked about, and nothing else",
  async (world) => {
    await world.write("home/.claude.json", {
      mcpServers: { it: trap("good"), other: trap("good", "other") },
    });
    await settings(world, {
      "before-call": [{ args: [], servers: ["it"], tools: ["ech*"] }],
    });
    const { machine, project } = world;
    await using session = await createSession({ cwd: project, machine, control: false });
    assert.match(
      await codeOf(session.manager),
      /^hook-failed: Cannot ask a hook: "hooks\.before-call\[0\]\.command" must be .* of ".*settings\.json"$/,
    );
    await session.manager.callTool("other", "echo", { text: "x" });
  },
);

import assert from "node:assert/strict";
import { appear, hostLine, mcpLine, onlyRemain, startDoomed } from "../harness/doomed.ts";
import { e2e, ON_LINUX, row, type World } from "../harness/e2e.ts";
import { npmServer, trap } from "../harness/servers.ts";

// That nothing is left is checked after every one of these, as after every e2e test.

e2e(
  "a server that ignores stdin's end and SIGTERM is ended, with its child [B01]",
  async (world) => {
    await world.userServers({ stubborn: trap("stubborn") });
    const run = await world.mcp(["status", "--json"]);
    assert.equal(row(run.json(), "stubborn").state, "connected");
    assert.ok(run.elapsedMs < 6_000, `took ${run.elapsedMs} ms`);
  },
);

e2e("the server behind a launcher that dies first is ended [B01] [B16]", async (world) => {
  await world.userServers({ wrapped: trap("wrapper") });
  assert.equal(row(await world.status(), "wrapped").state, "connected");
});

e2e("the server behind a shell is ended [B01]", async (world) => {
  const { command, args, env } = trap("stubborn");
  const line = [command, ...args].map((word) => `'${word}'`).join(" ");
  await world.userServers({ shell: { command: "/bin/sh", args: ["-c", `${line} & wait`], env } });
  await world.status("--wait", "2s");
});

e2e("a child that left the process group is ended [B01]", async (world) => {
  await world.userServers({ escapee: trap("escapee") });
  assert.equal(row(await world.status(), "escapee").state, "connected");
}, ON_LINUX);

e2e("a hung server and a stubborn one are ended when the wait is over [B02]", async (world) => {
  await world.userServers({ hung: trap("hang"), stubborn: trap("stubborn"), dead: trap("dead") });
  const run = await world.mcp(["status", "--json", "--wait", "1500ms"]);
  assert.equal(row(run.json(), "hung").state, "connecting");
  assert.ok(run.elapsedMs < 1_500 + 2_500 + 2_000, `took ${run.elapsedMs} ms`);
});

e2e("a server may flush its state at the end of stdin, before any signal [B05]", async (world) => {
  const state = `${world.root}/state`;
  await world.userServers({ flush: trap("flush", state) });
  await world.status();
  assert.equal(await Deno.readTextFile(state), "flushed\n");
});

e2e("a lock that a status held is free for the next one [B02]", async (world) => {
  await world.userServers({ lock: trap("lock", `${world.root}/lock`) });
  for (let round = 0; round < 3; round++) {
    assert.equal(row(await world.status(), "lock").state, "connected", `round ${round}`);
  }
});

e2e("server-everything is ended though it was told of roots", async (world) => {
  await world.userServers({ everything: npmServer("everything") });
  assert.equal(row(await world.status("--wait", "20s"), "everything").state, "connected");
});

e2e("a call that fails half-way leaves nothing [B02]", async (world) => {
  await world.userServers({ it: trap("stubborn"), exits: trap("exit-in-call") });
  assert.equal((await world.mcp(["call", "it", "no-such-tool"])).code, 2);
  assert.equal((await world.mcp(["call", "exits", "go"])).code, 4);
});

/** Names of the files in which running programs record their servers. */
async function records({ state }: World): Promise<readonly string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(`${state}/processes`))).map(({ name }) => name);
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return [];
    throw thrown;
  }
}

e2e("what a killed program left behind is ended by the next one [B03]", async (world) => {
  await world.userServers({ stubborn: trap("stubborn"), hung: trap("hang") });
  const program = startDoomed(mcpLine("status", "--wait", "60s"), world);
  await appear(world, "trap.ts hang", "stubborn-child");
  program.send("SIGKILL");
  await program.ended;
  await onlyRemain(world, "hang", "stubborn");
  assert.equal((await records(world)).length, 1);
  await world.userServers({ good: trap("good") });
  assert.equal(row(await world.status(), "good").state, "connected");
  assert.deepEqual(await records(world), []);
}, ON_LINUX);

e2e("a killed host's server that has no mark is ended by its recorded id [B03]", async (world) => {
  const { command, args, env } = trap("stubborn");
  const unmarked = ["-u", "HOTPLUG_SERVER", command, ...args];
  await world.userServers({ stubborn: { command: "/usr/bin/env", args: unmarked, env } });
  const host = startDoomed(hostLine("wait"), world);
  await host.says("ready, connected");
  host.send("SIGKILL");
  await host.ended;
  await onlyRemain(world, "stubborn");
  assert.equal((await records(world)).length, 1);
  await world.userServers({ good: trap("good") });
  assert.equal(row(await world.status(), "good").state, "connected");
  assert.deepEqual(await records(world), []);
}, ON_LINUX);

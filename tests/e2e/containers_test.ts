import assert from "node:assert/strict";
import { hostLine, onlyRemain, startDoomed } from "../harness/doomed.ts";
import { e2e, ON_LINUX, type World } from "../harness/e2e.ts";
import { leftoversOfHome } from "../harness/living_processes.ts";
import { trap } from "../harness/servers.ts";

// What runs in a container is no child of the client that started it, nor does it carry our mark:
// only its client can end it. That nothing is left is checked after each of these.

/** Two servers behind a program `docker`: one ends with its stdin, one at SIGTERM only. */
async function contained(world: World): Promise<void> {
  const { command, args, env } = trap("container-client");
  const words = [command, ...args].map((word) => `'${word}'`).join(" ");
  // As its last argument the image tells what the server in it obeys.
  const script = `#!/bin/sh\nfor image; do :; done\nexec ${words} "$image"\n`;
  const docker = await world.write("bin/docker", script);
  await Deno.chmod(docker, 0o755);
  const run = (image: string): object => ({
    command: docker,
    args: ["run", "-i", "--rm", image],
    env,
  });
  await world.userServers({ meek: run("stdin"), firm: run("SIGTERM") });
}

e2e("the end of status reaches what runs in containers [B01]", async (world) => {
  await contained(world);
  const { summary } = await world.status();
  assert.equal(summary.connected, 2);
}, ON_LINUX);

e2e("a host that exits at once stops what runs in containers [B12]", async (world) => {
  await contained(world);
  const host = startDoomed(hostLine("process.exit"), world);
  await host.says("ready, connected connected");
  assert.equal((await host.ended).code, 7);
  assert.deepEqual(await leftoversOfHome(world.home, 2_000), []);
}, ON_LINUX);

e2e("the next start stops what a killed host left in containers [B03]", async (world) => {
  await contained(world);
  const host = startDoomed(hostLine("wait"), world);
  await host.says("ready, connected connected");
  host.send("SIGKILL");
  await host.ended;
  await onlyRemain(world, "SIGTERM");
  assert.ok((await leftoversOfHome(world.home, 0)).length > 0, "nothing was left");
  await world.userServers({ next: trap("good") });
  await world.status();
  assert.deepEqual(await leftoversOfHome(world.home, 2_000), []);
}, ON_LINUX);

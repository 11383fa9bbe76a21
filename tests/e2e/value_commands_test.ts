import assert from "node:assert/strict";
import { e2e, row, states, succeeded } from "../harness/e2e.ts";
import { trap } from "../harness/servers.ts";
import { startHttpTrap } from "../servers/http_trap.ts";

e2e("what a value's command prints reaches the process, the command does not", async (world) => {
  const dump = trap("env-dump");
  await world.ompServers({ it: { ...dump, env: { ...dump.env, KEY: "!printf 'a b\\n' " } } });
  const seen = JSON.parse(await world.callText("it", "env")) as Record<string, string>;
  assert.equal(seen["KEY"], "a b");
});

e2e("what a value's command prints is sent as the header, and shown nowhere", async (world) => {
  const server = await startHttpTrap("wants-token");
  try {
    await world.ompServers({
      remote: { url: server.url, headers: { Authorization: "!printf 'Bearer good-%s' token" } },
    });
    const run = succeeded(await world.mcp(["status", "--json"]));
    assert.deepEqual(states(run.json()), { remote: "connected" });
    assert.ok(!(run.stdout + run.stderr).includes("good-token"), run.stdout);
  } finally {
    await server.close();
  }
});

e2e("a value's command that fails is its server's error, and nothing starts", async (world) => {
  const mark = `${world.root}/ran`;
  const server = trap("marker", mark);
  await world.ompServers({
    it: { ...server, env: { ...server.env, KEY: "!echo vault is locked >&2; exit 3" } },
    ok: trap("good"),
  });
  const document = await world.status();
  assert.deepEqual(states(document), { it: "error", ok: "connected" });
  const { error } = row(document, "it");
  assert.equal(error?.code, "command-failed");
  assert.match(error?.message ?? "", /env\."KEY".*status 3/);
  assert.match(JSON.stringify(error), /vault is locked/);
  await assert.rejects(() => Deno.stat(mark), Deno.errors.NotFound);
});

e2e("a value's command is not run to show what is remembered", async (world) => {
  const ran = `${world.root}/asked`;
  const good = trap("good");
  await world.ompServers({ it: { ...good, env: { ...good.env, KEY: `!echo x | tee '${ran}'` } } });
  await world.status("--cached");
  await assert.rejects(() => Deno.stat(ran), Deno.errors.NotFound);
  await world.tools();
  await Deno.remove(ran);
  assert.equal((await world.tools()).tools.length, 2);
  await world.status("--cached");
  await assert.rejects(() => Deno.stat(ran), Deno.errors.NotFound);
});

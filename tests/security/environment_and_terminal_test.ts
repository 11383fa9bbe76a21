import assert from "node:assert/strict";
import { e2e, row, succeeded } from "../harness/e2e.ts";
import { trap } from "../harness/servers.ts";

e2e("HOTPLUG_TRUST reaches no child, a command for a value neither [H01]", async (world) => {
  const told = `${world.root}/told`;
  const server = trap("env-dump");
  await world.ompServers({
    it: { ...server, env: { ...server.env, VALUE: `!env > '${told}'; echo value` } },
  });
  const env = { HOTPLUG_TRUST: "all", OF_USER: "yes" };
  const run = succeeded(await world.mcp(["call", "--json", "it", "env"], { env }));
  assert.match(run.stdout, /VALUE/);
  const seen = await Deno.readTextFile(told);
  assert.match(seen, /^OF_USER=yes$/m);
  assert.doesNotMatch(seen + run.stdout, /HOTPLUG_TRUST/);
});

e2e(
  "a command of a project's definition sees no more than its server would [H01]",
  async (world) => {
    const told = `${world.root}/told`;
    const server = trap("env-dump");
    await world.projectServers({
      it: { ...server, env: { ...server.env, VALUE: `!env > '${told}'; echo value` } },
    });
    succeeded(await world.mcp(["trust", "--yes"]));
    const run = succeeded(
      await world.mcp(["status", "--json"], { env: { AWS_SECRET_ACCESS_KEY: "sesame" } }),
    );
    assert.equal(row(run.json(), "it").state, "connected");
    const seen = await Deno.readTextFile(told);
    assert.match(seen, /^PATH=/m);
    assert.doesNotMatch(seen, /AWS_SECRET_ACCESS_KEY/);
  },
);

e2e("what a server writes to stderr reaches the terminal's log escaped [H04]", async (world) => {
  // C1 controls, which JSON leaves as they are and terminals obey: CSI, OSC; and a bidi override.
  const script = 'console.error("\\u009b2J\\u009d0;owned\\u0007\\u202eevil"); process.exit(1)';
  await world.ompServers({ it: { command: Deno.execPath(), args: ["eval", script] } });
  const run = await world.mcp(["status", "--verbose"]);
  const all = run.stdout + run.stderr;
  assert.match(all, /owned/);
  // deno-lint-ignore no-control-regex -- controls are what is looked for
  assert.doesNotMatch(all, /[\u0080-\u009f\u0007\u202e]/);
});

import assert from "node:assert/strict";
import { e2e, row, states, succeeded } from "../harness/e2e.ts";
import { trap } from "../harness/servers.ts";

e2e(
  "a project's server runs once it is approved, and only as it was approved [H02]",
  async (world) => {
    const mark = `${world.root}/ran`;
    await world.projectServers({ it: trap("good") });
    assert.equal(row(await world.status(), "it").state, "untrusted");
    const shown = succeeded(await world.mcp(["trust", "--yes", "it"]));
    assert.match(shown.stdout + shown.stderr, /trap\.ts/);
    assert.equal(row(await world.status(), "it").state, "connected");
    await world.projectServers({ it: trap("marker", mark) });
    assert.equal(row(await world.status(), "it").state, "untrusted");
    await assert.rejects(() => Deno.stat(mark), Deno.errors.NotFound);
  },
);

e2e("an approval can be taken back", async (world) => {
  await world.projectServers({ it: trap("good") });
  succeeded(await world.mcp(["trust", "--yes"]));
  assert.equal(row(await world.status("--cached"), "it").state, "disconnected");
  succeeded(await world.mcp(["untrust", "it"]));
  assert.equal(row(await world.status("--cached"), "it").state, "untrusted");
});

e2e("an approval holds for one workspace", async (world) => {
  await world.projectServers({ it: trap("good") });
  succeeded(await world.mcp(["trust", "--yes"]));
  const other = `${world.root}/other`;
  await world.write("other/.mcp.json", { mcpServers: { it: trap("good") } });
  const run = succeeded(await world.mcp(["status", "--json", "--cached"], { cwd: other }));
  assert.equal(row(run.json(), "it").state, "untrusted");
});

e2e("trust without a terminal and without --yes approves nothing", async (world) => {
  await world.projectServers({ it: trap("good") });
  const run = await world.mcp(["trust"], { stdin: "y\n" });
  assert.notEqual(run.code, 0);
  assert.equal(row(await world.status("--cached"), "it").state, "untrusted");
});

e2e("approvals lie in a private file of the state folder", async (world) => {
  await world.projectServers({ it: { ...trap("good"), env: { TOKEN: "a-written-secret" } } });
  succeeded(await world.mcp(["trust", "--yes"]));
  const file = `${world.state}/trust.json`;
  assert.equal(((await Deno.stat(file)).mode ?? 0) & 0o777, 0o600);
  assert.ok(!(await Deno.readTextFile(file)).includes("a-written-secret"));
});

e2e("--trust and HOTPLUG_TRUST=all run everything once, and it is said", async (world) => {
  await world.projectServers({ it: trap("env-dump") });
  const flagged = succeeded(await world.mcp(["status", "--json", "--trust"]));
  assert.deepEqual(states(flagged.json()), { it: "connected" });
  const env = { HOTPLUG_TRUST: "all" };
  const run = succeeded(await world.mcp(["call", "--json", "it", "env"], { env }));
  assert.match(run.stderr, /HOTPLUG_TRUST/);
  assert.doesNotMatch(run.stdout, /HOTPLUG_TRUST/);
  assert.equal(row(await world.status("--cached"), "it").state, "untrusted");
});

e2e("a store server that a workspace file enables waits for its user's word", async (world) => {
  await world.storeServers({ stored: trap("good", "stored") });
  await world.write("project/.hotplug/workspace.json", { enabledMcpServers: ["stored"] });
  assert.equal(row(await world.status(), "stored").state, "untrusted");
  succeeded(await world.mcp(["trust", "--yes", "stored"]));
  assert.equal(row(await world.status(), "stored").state, "connected");
  await world.write("project/.hotplug/workspace.json", { disabledMcpServers: ["stored"] });
  assert.equal(row(await world.status(), "stored").state, "disabled");
});

e2e("a project's autoApprove counts for nothing", async (world) => {
  await world.projectServers({ it: { ...trap("good"), autoApprove: ["echo"] } });
  succeeded(await world.mcp(["trust", "--yes"]));
  const { tools } = await world.tools();
  assert.deepEqual(tools.map(({ autoApprove }) => autoApprove), [false, false]);
});

e2e(
  "a project's server gets the safe part of the environment and its own variables",
  async (world) => {
    await world.projectServers({ it: { ...trap("env-dump"), env: { OWN: "yes" } } });
    succeeded(await world.mcp(["trust", "--yes"]));
    const env = { GITHUB_TOKEN: "not-for-projects", HTTPS_PROXY: "http://proxy.example:1" };
    const run = succeeded(await world.mcp(["call", "it", "env"], { env }));
    const seen = JSON.parse(run.stdout) as Record<string, string>;
    assert.equal(seen["OWN"], "yes");
    assert.equal(seen["HTTPS_PROXY"], env.HTTPS_PROXY);
    assert.equal(seen["HOME"], world.home);
    assert.equal(seen["GITHUB_TOKEN"], undefined);
    assert.equal(seen["XDG_RUNTIME_DIR"], undefined);
  },
);

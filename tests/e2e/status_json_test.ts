import assert from "node:assert/strict";
import { e2e, row, states } from "../harness/e2e.ts";
import { trap } from "../harness/servers.ts";

e2e("status --json is one document with the pinned fields", async (world) => {
  await world.userServers({ fine: trap("good") });
  const document = await world.status();
  assert.deepEqual(Object.keys(document).sort(), [
    "schemaVersion",
    "servers",
    "sessions",
    "sources",
    "store",
    "summary",
    "workspaceConfig",
    "workspacePath",
  ]);
  assert.equal(document.schemaVersion, 1);
  assert.equal(document.workspacePath, world.project);
  assert.deepEqual(document.summary, { connected: 1, failed: 0, waiting: 0, off: 0, tools: 2 });
  const fine = row(document, "fine");
  assert.deepEqual(Object.keys(fine).sort(), [
    "attempt",
    "cachedAgeMs",
    "elapsedMs",
    "error",
    "name",
    "nextAttemptAt",
    "others",
    "paused",
    "pid",
    "prompts",
    "protocol",
    "resources",
    "server",
    "since",
    "source",
    "state",
    "tools",
    "transport",
    "type",
    "warnings",
    "workspace",
  ]);
  assert.deepEqual(
    { ...fine, elapsedMs: 0, since: 0, pid: 0, warnings: [], source: null },
    {
      name: "fine",
      type: "stdio",
      transport: "stdio",
      state: "connected",
      since: 0,
      workspace: "enabled",
      paused: false,
      tools: 2,
      resources: 0,
      prompts: 0,
      source: null,
      others: [],
      server: { name: "good", version: "1.0.0" },
      protocol: { era: "legacy", version: "2025-11-25" },
      pid: 0,
      elapsedMs: 0,
      cachedAgeMs: null,
      attempt: 1,
      nextAttemptAt: null,
      error: null,
      warnings: [],
    },
  );
  assert.equal(fine.source?.id, "claude-code");
  assert.equal(fine.source?.scope, "user");
  assert.equal(fine.source?.path, `${world.home}/.claude.json`);
  assert.ok(Number.isInteger(fine.pid));
});

e2e("every state that a first run can show stands in its row", async (world) => {
  const noLists = { command: trap("good").command };
  await world.userServers({
    fine: trap("good"),
    dead: trap("dead"),
    off: { ...trap("good"), disabled: true },
    invalid: { args: ["x"] },
    variable: { ...noLists, args: ["${NO_SUCH_VARIABLE}"] },
    twin: trap("good"),
    exa: { url: "http://mcp.exa.ai/mcp?exaApiKey=secret-key" },
    slow: trap("hang"),
  });
  await world.projectServers({ theirs: trap("good") });
  await world.storeServers({ stored: trap("good", "stored") });
  await world.write("project/.hotplug/workspace.json", { enabledMcpServers: ["ghost"] });
  const document = await world.status("--wait", "1s");
  assert.deepEqual(states(document), {
    theirs: "untrusted",
    fine: "connected",
    dead: "error",
    off: "disabled",
    invalid: "error",
    variable: "error",
    twin: "duplicate",
    exa: "filtered",
    slow: "connecting",
    stored: "disabled",
    ghost: "missing",
  });
  assert.equal(row(document, "variable").error?.code, "missing-variable");
  assert.match(row(document, "variable").error?.message ?? "", /NO_SUCH_VARIABLE/);
  assert.doesNotMatch(JSON.stringify(document), /secret-key/);
  for (const name of ["theirs", "dead", "off", "invalid", "variable", "exa", "stored", "ghost"]) {
    assert.ok(row(document, name).error?.hint, `no hint for ${name}`);
  }
});

e2e("a failed server's error carries exit code and stderr as data", async (world) => {
  await world.userServers({ broken: trap("dead") });
  const { error } = row(await world.status(), "broken");
  assert.equal(error?.code, "server-exited");
  assert.equal(error?.processExitCode, 3);
  assert.match(error?.stderr ?? "", /FATAL: missing API key DEAD_KEY/);
});

e2e("a project file and a missing one are both listed as sources", async (world) => {
  await world.projectServers({ theirs: trap("good") });
  const { sources } = await world.status("--cached");
  const project = sources.find(({ path }) => path === `${world.project}/.mcp.json`);
  assert.deepEqual([project?.state, project?.servers], ["loaded", 1]);
  assert.ok(sources.some(({ state }) => state === "absent"));
});

e2e("every source error leaves the other rows alone", async (world) => {
  await world.userServers({ fine: trap("good") });
  await world.write("project/.mcp.json", `{"mcpServers": {`);
  const document = await world.status();
  assert.deepEqual(states(document), { fine: "connected" });
  const broken = document.sources.find(({ path }) => path === `${world.project}/.mcp.json`);
  assert.equal(broken?.state, "malformed");
});

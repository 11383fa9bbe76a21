import assert from "node:assert/strict";
import { kiro } from "../../src/sources/kiro.ts";
import { assertPlan, type GoldenRow, onMachine } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, TempMachine } from "./temp_machine.ts";

const USER_FILE = {
  mcpServers: {
    "aws-docs": {
      command: "uvx",
      args: ["awslabs.aws-documentation-mcp-server@latest"],
      env: { FASTMCP_LOG_LEVEL: "ERROR", TOKEN: "${DOCS_TOKEN}" },
      disabled: false,
      autoApprove: ["search"],
      disabledTools: ["write"],
      timeout: 60000,
    },
    "github": {
      type: "http",
      url: "https://api.githubcopilot.com/mcp/",
      headers: { Authorization: "Bearer ${env:GITHUB_TOKEN}" },
      oauth: { clientId: "id" },
      oauthScopes: ["repo"],
    },
    "old": { command: "uvx", args: ["old"], disabled: true },
  },
  powers: { mcpServers: { "power-a-b": { command: "x" } } },
};

function userRows(file: string): readonly GoldenRow[] {
  const row = { source: "kiro", scope: "user", file } as const;
  return [
    {
      ...row,
      name: "aws-docs",
      state: "run",
      config: {
        type: "stdio",
        command: "uvx",
        args: ["awslabs.aws-documentation-mcp-server@latest"],
        env: { FASTMCP_LOG_LEVEL: "ERROR", TOKEN: "${DOCS_TOKEN}" },
        callTimeout: 60_000,
        disabledTools: ["write"],
        autoApprove: ["search"],
      },
    },
    {
      ...row,
      name: "github",
      state: "run",
      config: {
        type: "streamable_http",
        url: "https://api.githubcopilot.com/mcp/",
        headers: { Authorization: "Bearer ${env:GITHUB_TOKEN}" },
        oauth: { clientId: "id" },
      },
    },
    {
      ...row,
      name: "old",
      state: "disabled",
      config: { type: "stdio", command: "uvx", args: ["old"], enabled: false },
    },
  ];
}

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the files of Kiro are read on ${platform}`, async () => {
    await assertPlan({
      platform,
      sources: [kiro],
      env: { DOCS_TOKEN: "a", GITHUB_TOKEN: "b" },
      files: {
        "home/.kiro/settings/mcp.json": USER_FILE,
        "home/work/project/.kiro/settings/mcp.json": {
          mcpServers: { docs: { command: "node", args: ["docs.js"], cwd: "tools" } },
        },
      },
      cwd: "src",
    }, [
      ...userRows("home/.kiro/settings/mcp.json"),
      {
        name: "docs",
        state: "untrusted",
        source: "kiro",
        scope: "project",
        file: "home/work/project/.kiro/settings/mcp.json",
        config: { type: "stdio", command: "node", args: ["docs.js"], cwd: "tools" },
      },
    ]);
  });
}

Deno.test("KIRO_HOME moves Kiro's folder, a relative one does not", async () => {
  const files = {
    "moved/settings/mcp.json": USER_FILE,
    "home/work/project/kiro/settings/mcp.json": { mcpServers: { no: { command: "a" } } },
  };
  const env = { DOCS_TOKEN: "a", GITHUB_TOKEN: "b" };
  await assertPlan(
    { platform: "linux", sources: [kiro], files, env: { ...env, KIRO_HOME: "root:moved" } },
    userRows("moved/settings/mcp.json"),
  );
  await assertPlan({ platform: "linux", sources: [kiro], files, env: { KIRO_HOME: "kiro" } }, []);
});

Deno.test("relative paths of a project file stand against the project, not .kiro [A21] (mistake 9)", async () => {
  await onMachine({
    platform: "linux",
    sources: [kiro],
    files: { "home/work/project/.kiro/settings/mcp.json": { mcpServers: { x: { command: "a" } } } },
  }, ({ plan }, root) => {
    assert.equal(plan.servers[0]?.definition?.source.base, `${root}/home/work/project`);
  });
});

Deno.test("a bad entry of Kiro costs only itself, and mcp.json in the wrong folder is a near miss [A05] [A45]", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/.kiro/settings/mcp.json", {
    mcpServers: { bad: { url: 7 }, good: { command: "a" } },
  });
  await machine.write("home/.kiro/mcp.json", { mcpServers: {} });
  const reading = await machine.read(kiro);
  assert.equal(only(reading, "bad").problems.length, 1);
  assert.deepEqual(only(reading, "good").problems, []);
  const near = reading.reports.filter(({ state }) => state === "near-miss");
  assert.deepEqual(near.map(({ path }) => path), [`${machine.home}/.kiro/mcp.json`]);
});

Deno.test("what is written for Kiro is read back the same", async () => {
  const raw = await roundTrip(kiro, {
    type: "stdio",
    command: "uvx",
    args: ["a"],
    env: { A: "${B}" },
    enabled: false,
    callTimeout: 5000,
    disabledTools: ["b"],
    autoApprove: ["c"],
  }, { scope: "project" });
  assert.deepEqual([raw["timeout"], raw["disabled"]], [5000, true]);
  await roundTrip(kiro, { url: "https://example.com/mcp", headers: { A: "${B}" } });
});

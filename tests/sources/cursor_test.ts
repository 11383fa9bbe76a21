import assert from "node:assert/strict";
import { assertPlan, type GoldenRow, onMachine } from "./golden.ts";

const USER_FILE = {
  mcpServers: {
    "github": {
      command: "npx",
      args: ["-y", "@modelcontextprotocol/server-github"],
      env: { GITHUB_PERSONAL_ACCESS_TOKEN: "${env:GITHUB_TOKEN}" },
      envFile: "${userHome}/.github.env",
    },
    "linear": { url: "https://mcp.linear.app/sse", headers: { "X-Team": "${env:TEAM}" } },
  },
};

const USER_ROWS: readonly GoldenRow[] = [
  {
    name: "github",
    state: "run",
    source: "cursor",
    scope: "user",
    file: "home/.cursor/mcp.json",
    config: {
      type: "stdio",
      command: "npx",
      args: ["-y", "@modelcontextprotocol/server-github"],
      env: { GITHUB_PERSONAL_ACCESS_TOKEN: "${env:GITHUB_TOKEN}" },
      envFile: "${userHome}/.github.env",
    },
  },
  {
    name: "linear",
    state: "run",
    source: "cursor",
    scope: "user",
    file: "home/.cursor/mcp.json",
    config: { url: "https://mcp.linear.app/sse", headers: { "X-Team": "${env:TEAM}" } },
  },
];

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the files of Cursor are read on ${platform}`, async () => {
    await assertPlan({
      platform,
      env: { GITHUB_TOKEN: "t", TEAM: "a" },
      files: {
        "home/.cursor/mcp.json": USER_FILE,
        "home/work/project/.cursor/mcp.json": {
          mcpServers: { docs: { command: "node", args: ["docs.js"], cwd: "tools" } },
        },
      },
      cwd: "src/deep",
    }, [
      ...USER_ROWS,
      {
        name: "docs",
        state: "untrusted",
        source: "cursor",
        scope: "project",
        file: "home/work/project/.cursor/mcp.json",
        config: { type: "stdio", command: "node", args: ["docs.js"], cwd: "tools" },
      },
    ]);
  });
}

Deno.test("relative paths of a project file stand against the project, not .cursor [A21]", async () => {
  await onMachine({
    platform: "linux",
    files: { "home/work/project/.cursor/mcp.json": { mcpServers: { x: { command: "a" } } } },
  }, ({ plan }, root) => {
    assert.equal(plan.servers[0]?.definition?.source.base, `${root}/home/work/project`);
  });
});

Deno.test("a file of a similar name is a near miss [A45]", async () => {
  await onMachine({
    platform: "linux",
    files: { "home/work/project/.cursor/mcp.config.json": { mcpServers: {} } },
  }, ({ plan }) => {
    const near = plan.sources.filter(({ state }) => state === "near-miss");
    assert.equal(near.length, 1);
    assert.match(near[0]?.warnings.join() ?? "", /belong in ".*\.cursor\/mcp\.json"/);
  });
});

import assert from "node:assert/strict";
import { continueDev } from "../../src/sources/continue_dev.ts";
import { assertPlan, type GoldenRow, onMachine } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const CONFIG = `name: My Config
version: 1.0.0
schema: v1
models:
  - name: GPT
    provider: openai
mcpServers:
  - name: sqlite
    command: uvx
    args:
      - mcp-server-sqlite
    cwd: /srv/db
    env:
      TOKEN: \${{ secrets.SQLITE_TOKEN }}
    connectionTimeout: 5000
    faviconUrl: https://example.com/a.ico
  - name: Linear MCP
    type: streamable-http
    url: https://mcp.linear.app/mcp
    requestOptions:
      headers:
        X-Team: core
    apiKey: \${{ secrets.LINEAR_KEY }}
`;

function configRows(file: string): readonly GoldenRow[] {
  const row = { state: "run", source: "continue", scope: "user", file } as const;
  return [
    {
      ...row,
      name: "sqlite",
      config: {
        type: "stdio",
        command: "uvx",
        args: ["mcp-server-sqlite"],
        env: { TOKEN: "${{ secrets.SQLITE_TOKEN }}" },
        cwd: "/srv/db",
        startupTimeout: 5000,
      },
    },
    {
      ...row,
      name: "Linear MCP",
      config: {
        type: "streamable_http",
        url: "https://mcp.linear.app/mcp",
        headers: { "X-Team": "core", "Authorization": "Bearer ${{ secrets.LINEAR_KEY }}" },
      },
    },
  ];
}

const ENV = { SQLITE_TOKEN: "a", LINEAR_KEY: "b", GITHUB_TOKEN: "c" };

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the files of Continue are read on ${platform}`, async () => {
    const project = "home/work/project/.continue/mcpServers";
    await assertPlan({
      platform,
      sources: [continueDev],
      env: ENV,
      files: {
        "home/.continue/config.yaml": CONFIG,
        "home/.continue/mcpServers/github.json": {
          mcpServers: {
            github: { command: "npx", args: ["github"], env: { TOKEN: "${GITHUB_TOKEN}" } },
          },
        },
        "home/.continue/mcpServers/alone.json": { type: "http", url: "https://example.com/mcp" },
        [`${project}/docs.yml`]: "name: Docs\nmcpServers:\n  - name: docs\n    command: node\n",
        [`${project}/mcp.json`]: { mcpServers: { web: { url: "https://example.com/web" } } },
        [`${project}/README.md`]: "no servers",
      },
      cwd: "src",
    }, [
      ...configRows("home/.continue/config.yaml"),
      {
        name: "github",
        state: "run",
        source: "continue",
        scope: "user",
        file: "home/.continue/mcpServers/github.json",
        config: {
          type: "stdio",
          command: "npx",
          args: ["github"],
          env: { TOKEN: "${GITHUB_TOKEN}" },
        },
      },
      {
        name: "alone",
        state: "run",
        source: "continue",
        scope: "user",
        file: "home/.continue/mcpServers/alone.json",
        config: { type: "streamable_http", url: "https://example.com/mcp" },
      },
      {
        name: "docs",
        state: "untrusted",
        source: "continue",
        scope: "project",
        file: `${project}/docs.yml`,
        config: { type: "stdio", command: "node" },
      },
      {
        name: "web",
        state: "untrusted",
        source: "continue",
        scope: "project",
        file: `${project}/mcp.json`,
        config: { url: "https://example.com/web" },
      },
    ]);
  });
}

Deno.test("CONTINUE_GLOBAL_DIR moves Continue's folder", async () => {
  await assertPlan({
    platform: "linux",
    sources: [continueDev],
    env: { ...ENV, CONTINUE_GLOBAL_DIR: "root:moved" },
    files: { "moved/config.yaml": CONFIG },
  }, configRows("moved/config.yaml"));
});

/** The older settings, whose servers have no names. */
const OLDER = {
  models: [],
  experimental: {
    modelContextProtocolServers: [
      { transport: { type: "stdio", command: "uvx", args: ["a"], env: { A: "${b}" } } },
      { transport: { type: "sse", url: "https://example.com/sse" }, timeout: 5 },
    ],
  },
};

Deno.test("the older settings count while there are no newer ones", async () => {
  const file = "home/.continue/config.json";
  const row = { state: "run", source: "continue", scope: "user", file } as const;
  const rows: readonly GoldenRow[] = [
    {
      ...row,
      name: "continue-mcp-server-1",
      config: { type: "stdio", command: "uvx", args: ["a"], env: { A: "${b}" } },
    },
    {
      ...row,
      name: "continue-mcp-server-2",
      config: { type: "sse", url: "https://example.com/sse" },
    },
  ];
  const golden = { platform: "linux", sources: [continueDev], env: ENV } as const;
  await assertPlan({ ...golden, files: { [file]: OLDER } }, rows);
  await assertPlan({
    ...golden,
    files: { [file]: OLDER, "home/.continue/config.yaml": CONFIG },
  }, configRows("home/.continue/config.yaml"));
});

Deno.test("relative paths of a project file stand against the project [A21] (mistake 9)", async () => {
  await onMachine({
    platform: "linux",
    sources: [continueDev],
    files: {
      "home/work/project/.continue/mcpServers/a.yaml": "mcpServers: [{name: x, command: a}]",
    },
  }, ({ plan }, root) => {
    assert.equal(plan.servers[0]?.definition?.source.base, `${root}/home/work/project`);
  });
});

Deno.test("broken YAML is reported with its place while other files live, a bad entry costs only itself [A05] [A10]", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/.continue/config.yaml", "mcpServers:\n  - name: a\n   command: b\n");
  await machine.write(
    "home/.continue/mcpServers/b.yaml",
    `mcpServers:
  - uses: someone/server
  - { name: bad, command: [] }
  - { name: good, url: "https://a/mcp", requestOptions: { proxy: "http://b" } }
`,
  );
  const reading = await machine.read(continueDev);
  const broken = report(reading, "config.yaml");
  assert.equal(broken.state, "malformed");
  assert.match(broken.error?.message ?? "", /at line \d+, column \d+/);
  assert.deepEqual(report(reading, "b.yaml").warnings, ["An entry without a name is left out"]);
  assert.notEqual(only(reading, "bad").problems.length, 0);
  const good = only(reading, "good");
  assert.deepEqual([good.problems, good.warnings], [[], [`"requestOptions.proxy" is not read`]]);
});

Deno.test("what is written for Continue is read back the same, in YAML and in JSON", async () => {
  const listed = await roundTrip(continueDev, {
    type: "streamable_http",
    url: "https://example.com/mcp",
    headers: { A: "${{ secrets.B }}" },
    startupTimeout: 3000,
  });
  assert.deepEqual(listed, {
    type: "streamable-http",
    url: "https://example.com/mcp",
    connectionTimeout: 3000,
    requestOptions: { headers: { A: "${{ secrets.B }}" } },
  });
  const local = { type: "stdio", command: "npx", args: ["-y", "a"], env: { A: "b" } } as const;
  await roundTrip(continueDev, { ...local, cwd: "/c" });
  await roundTrip(continueDev, local, { scope: "project" });
  await roundTrip(continueDev, {
    type: "streamable_http",
    url: "https://example.com/mcp",
    headers: { A: "${B}" },
  }, { scope: "project" });
});

import assert from "node:assert/strict";
import { goose } from "../../src/sources/goose.ts";
import { assertPlan, type GoldenRow, onMachine } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const CONFIG = `# Goose
GOOSE_PROVIDER: anthropic
extensions:
  developer:
    enabled: true
    type: builtin
    name: developer
  todo: { enabled: true, type: platform, name: todo }
  script: { enabled: true, type: inline_python, name: script, code: "print(1)" }
  screen: { enabled: true, type: frontend, name: screen, tools: [] }
  github:
    enabled: true
    type: stdio
    name: GitHub
    description: Issues and pull requests
    cmd: npx
    args: [-y, "@modelcontextprotocol/server-github"]
    envs:
      HOST: github.com
      PATTERN: \${NOT_EXPANDED}
    env_keys: [GITHUB_PERSONAL_ACCESS_TOKEN]
    timeout: 300
    bundled: null
    available_tools: []
  linear:
    enabled: true
    type: streamable_http
    name: Linear
    uri: https://mcp.linear.app/mcp
    headers:
      Authorization: Bearer $LINEAR_TOKEN
      X-Team: \${TEAM}-\${UNKNOWN}
    envs: { TEAM: core }
    env_keys: [LINEAR_TOKEN]
    available_tools: [list_issues]
  old:
    enabled: false
    type: sse
    name: old
    uri: https://example.com/sse
`;

const FILES = {
  linux: "home/.config/goose/config.yaml",
  darwin: "home/.config/goose/config.yaml",
  win32: "home/AppData/Roaming/Block/goose/config/config.yaml",
} as const;

const ENV = { GITHUB_PERSONAL_ACCESS_TOKEN: "a", LINEAR_TOKEN: "b" };

function userRows(file: string): readonly GoldenRow[] {
  const row = { state: "run", source: "goose", scope: "user", file } as const;
  return [
    {
      ...row,
      name: "github",
      config: {
        type: "stdio",
        command: "npx",
        args: ["-y", "@modelcontextprotocol/server-github"],
        env: {
          GITHUB_PERSONAL_ACCESS_TOKEN: "${secret:GITHUB_PERSONAL_ACCESS_TOKEN}",
          HOST: "github.com",
          PATTERN: "$${NOT_EXPANDED}",
        },
        enabled: true,
        startupTimeout: 300_000,
        callTimeout: 300_000,
        description: "Issues and pull requests",
      },
    },
    {
      ...row,
      name: "linear",
      config: {
        type: "streamable_http",
        url: "https://mcp.linear.app/mcp",
        headers: {
          "Authorization": "Bearer ${secret:LINEAR_TOKEN}",
          "X-Team": "core-$${UNKNOWN}",
        },
        enabled: true,
        enabledTools: ["list_issues"],
      },
    },
    {
      ...row,
      name: "old",
      state: "disabled",
      config: { type: "sse", url: "https://example.com/sse", enabled: false },
    },
  ];
}

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the extensions of Goose that are servers are read on ${platform}`, async () => {
    await assertPlan({
      platform,
      sources: [goose],
      env: ENV,
      files: { [FILES[platform]]: CONFIG },
    }, userRows(FILES[platform]));
  });
}

Deno.test("GOOSE_PATH_ROOT moves Goose's folders", async () => {
  await assertPlan({
    platform: "linux",
    sources: [goose],
    env: { ...ENV, GOOSE_PATH_ROOT: "root:moved" },
    files: { "moved/config/config.yaml": CONFIG },
  }, userRows("moved/config/config.yaml"));
});

Deno.test("a secret that only Goose's keyring has must be given", async () => {
  await onMachine({
    platform: "linux",
    sources: [goose],
    env: { LINEAR_TOKEN: "b" },
    files: { [FILES.linux]: CONFIG },
  }, ({ plan }) => {
    const states = plan.servers.map(({ name, verdict }) => [name, verdict.state]);
    assert.deepEqual(states.sort(), [
      ["github", "needs-input"],
      ["linear", "run"],
      ["old", "disabled"],
    ]);
  });
});

Deno.test("Goose's own words earn no warning", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILES.linux, CONFIG);
  const reading = await machine.read(goose);
  assert.deepEqual(reading.definitions.map(({ warnings }) => warnings), [[], [], []]);
});

Deno.test("an entry that Goose leaves out, cannot be reached or is wrong costs only itself [A05]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(
    FILES.linux,
    `extensions:
  silent: { type: stdio, cmd: a, args: [] }
  socket: { enabled: true, type: streamable_http, uri: "http://a/mcp", socket: "@a" }
  bad: { enabled: true, type: stdio, args: [] }
  login: { enabled: true, type: streamable_http, uri: "https://a/mcp", client_id: b, scopes: [c] }
`,
  );
  const reading = await machine.read(goose);
  assert.match(only(reading, "silent").warnings.join(), /"enabled" is missing/);
  assert.match(only(reading, "socket").problems[0]?.message ?? "", /^Only Goose can reach/);
  assert.equal(only(reading, "bad").problems.length, 1);
  const login = only(reading, "login");
  assert.deepEqual([login.problems, login.warnings], [[], []]);
  assert.deepEqual(login.config.oauth, { client_id: "b", scopes: ["c"] });
});

Deno.test("broken YAML is reported with its place", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILES.linux, "extensions:\n  a:\n    type: stdio\n   cmd: b\n");
  const { state, error } = report(await machine.read(goose), "config.yaml");
  assert.equal(state, "malformed");
  assert.match(error?.message ?? "", /at line \d+, column \d+/);
});

Deno.test("what is written for Goose is read back the same, secrets by name alone", async () => {
  const raw = await roundTrip(goose, {
    type: "stdio",
    command: "npx",
    env: { TOKEN: "${secret:TOKEN}", PLAIN: "$${a}" },
    enabled: false,
    startupTimeout: 60_000,
    callTimeout: 60_000,
    enabledTools: ["b"],
    args: [],
  });
  assert.deepEqual(raw, {
    name: "x",
    enabled: false,
    type: "stdio",
    cmd: "npx",
    args: [],
    envs: { PLAIN: "${a}" },
    env_keys: ["TOKEN"],
    timeout: 60,
    available_tools: ["b"],
  });
  await roundTrip(goose, {
    type: "streamable_http",
    url: "https://example.com/mcp",
    headers: { A: "b" },
    enabled: true,
  });
});

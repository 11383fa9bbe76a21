import assert from "node:assert/strict";
import { amazonQ } from "../../src/sources/amazon_q.ts";
import { assertPlan, type GoldenRow } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const USER = "home/.aws/amazonq/mcp.json";
const AGENTS = "home/.aws/amazonq/cli-agents";

const USER_FILE = {
  mcpServers: {
    git: {
      command: "git-mcp",
      args: [],
      env: { GIT_CONFIG_GLOBAL: "/dev/null", TOKEN: "${env:GIT_TOKEN}" },
      timeout: 120000,
      initializationTimeout: 15000,
      disabled: false,
    },
    api: {
      type: "http",
      url: "https://example.com/mcp",
      headers: { Authorization: "Bearer ${env:API_TOKEN}" },
      oauthScopes: ["openid"],
    },
    old: { command: "old", disabled: true },
  },
};

const USER_ROWS: readonly GoldenRow[] = [
  {
    name: "git",
    state: "run",
    source: "amazon-q",
    scope: "user",
    file: USER,
    config: {
      type: "stdio",
      command: "git-mcp",
      args: [],
      env: { GIT_CONFIG_GLOBAL: "/dev/null", TOKEN: "${env:GIT_TOKEN}" },
      startupTimeout: 15_000,
      callTimeout: 120_000,
    },
  },
  {
    name: "api",
    state: "run",
    source: "amazon-q",
    scope: "user",
    file: USER,
    config: {
      type: "streamable_http",
      url: "https://example.com/mcp",
      headers: { Authorization: "Bearer ${env:API_TOKEN}" },
    },
  },
  {
    name: "old",
    state: "disabled",
    source: "amazon-q",
    scope: "user",
    file: USER,
    config: { type: "stdio", command: "old", enabled: false },
  },
];

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the files of Amazon Q are read on ${platform} (mistakes 3, 4)`, async () => {
    await assertPlan({
      platform,
      sources: [amazonQ],
      env: { GIT_TOKEN: "a", API_TOKEN: "b" },
      files: {
        [USER]: USER_FILE,
        "home/.aws/amazonq/agents/default.json": {
          name: "q_ide_default",
          mcpServers: { editor: { command: "editor" } },
          useLegacyMcpJson: true,
        },
        "home/work/project/.amazonq/mcp.json": {
          mcpServers: { docs: { command: "node", args: ["docs.js"] } },
        },
      },
      cwd: "src",
    }, [
      ...USER_ROWS,
      {
        name: "editor",
        state: "run",
        source: "amazon-q",
        scope: "user",
        file: "home/.aws/amazonq/agents/default.json",
        config: { type: "stdio", command: "editor" },
      },
      {
        name: "docs",
        state: "untrusted",
        source: "amazon-q",
        scope: "project",
        file: "home/work/project/.amazonq/mcp.json",
        config: { type: "stdio", command: "node", args: ["docs.js"] },
      },
    ]);
  });
}

/** Names of the servers, and whether each is on. */
async function states(machine: TempMachine, platform?: "darwin" | "win32"): Promise<object> {
  const reading = await machine.read(amazonQ, platform === undefined ? {} : { platform });
  return Object.fromEntries(
    reading.definitions.map(({ name, config }) => [name, config.enabled !== false]),
  );
}

Deno.test("the servers of agents other than the default one do not count", async () => {
  await using machine = await TempMachine.create();
  await machine.write(USER, { mcpServers: { git: { command: "git-mcp" } } });
  await machine.write(`${AGENTS}/reviewer.json`, {
    name: "reviewer",
    mcpServers: { review: { command: "review" } },
  });
  assert.deepEqual(await states(machine), { git: true });
  const found = report(await machine.read(amazonQ), "reviewer.json");
  assert.deepEqual([found.state, found.servers, found.warnings], [
    "empty",
    0,
    ['Its servers belong to the agent "reviewer", which is not the default'],
  ]);
});

Deno.test("the default agent has its own servers, and those of mcp.json if it asks for them", async () => {
  for (const useLegacyMcpJson of [true, false, undefined]) {
    for (const folder of [AGENTS, "home/work/project/.amazonq/cli-agents"]) {
      await using machine = await TempMachine.create();
      await machine.write(USER, { mcpServers: { git: { command: "git-mcp" } } });
      await machine.write(`${folder}/q_cli_default.json`, {
        name: "q_cli_default",
        mcpServers: { own: { command: "own" } },
        useLegacyMcpJson,
      });
      assert.deepEqual(await states(machine), { git: useLegacyMcpJson === true, own: true });
    }
  }
});

Deno.test("Amazon Q's settings name the default agent", async () => {
  const places = [
    { file: "home/.local/share/amazon-q/settings.json" },
    { file: "home/Library/Application Support/amazon-q/settings.json", platform: "darwin" },
    { file: "home/AppData/Local/amazon-q/settings.json", platform: "win32" },
  ] as const;
  for (const place of places) {
    await using machine = await TempMachine.create();
    await machine.write(place.file, { "chat.defaultAgent": "reviewer" });
    await machine.write(USER, { mcpServers: { git: { command: "git-mcp" } } });
    await machine.write(`${AGENTS}/a.json`, {
      name: "reviewer",
      mcpServers: { review: { command: "review" } },
    });
    await machine.write(`${AGENTS}/b.json`, {
      name: "q_cli_default",
      mcpServers: { own: { command: "own" } },
    });
    const platform = "platform" in place ? place.platform : undefined;
    assert.deepEqual(await states(machine, platform), { git: false, review: true });
  }
});

Deno.test("a bad entry, and a broken agent, cost only themselves [A05] [A10]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(USER, { mcpServers: { bad: { type: "http" }, good: { command: "a" } } });
  await machine.write(`${AGENTS}/broken.json`, "{");
  const reading = await machine.read(amazonQ);
  assert.equal(only(reading, "bad").problems.length, 1);
  assert.deepEqual([only(reading, "good").problems, only(reading, "good").warnings], [[], []]);
  assert.equal(report(reading, "broken.json").state, "malformed");
});

Deno.test("what is written for Amazon Q is read back the same", async () => {
  const raw = await roundTrip(amazonQ, {
    type: "stdio",
    command: "a",
    args: ["b"],
    env: { C: "${env:D}" },
    enabled: false,
    startupTimeout: 4000,
    callTimeout: 5000,
  });
  assert.deepEqual([raw["initializationTimeout"], raw["timeout"], raw["disabled"]], [
    4000,
    5000,
    true,
  ]);
  const remote = await roundTrip(amazonQ, {
    type: "streamable_http",
    url: "https://example.com/mcp",
    headers: { A: "${env:B}" },
  }, { scope: "project" });
  assert.equal(remote["type"], "http");
});

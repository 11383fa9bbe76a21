import assert from "node:assert/strict";
import { kimi } from "../../src/sources/kimi.ts";
import { writeEntry } from "../../src/sources/written_entry.ts";
import { assertPlan } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const FILE = "home/.kimi-code/mcp.json";
const SETTINGS = "home/.kimi-code/config.toml";
const PROJECT = "home/work/project/.kimi-code/mcp.json";
const OLDER = "home/.kimi/mcp.json";

const USER_FILE = {
  mcpServers: {
    files: {
      command: "npx",
      args: ["files-mcp", "${LITERAL}"],
      env: { A: "$B" },
      startupTimeoutMs: 5_000,
      enabledTools: ["read"],
      disabledTools: ["write"],
      executor: "local",
      deferred: true,
    },
    linear: {
      url: "https://mcp.linear.app/mcp",
      headers: { authorization: "old", "X-A": "b" },
      bearerTokenEnvVar: "LINEAR_TOKEN",
      toolTimeoutMs: 9_000,
    },
    off: { transport: "sse", url: "https://off.example/sse", enabled: false },
  },
};

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the files of Kimi Code are read on ${platform}`, async () => {
    const user = { source: "kimi", scope: "user", file: FILE } as const;
    await assertPlan({
      platform,
      sources: [kimi],
      env: { LINEAR_TOKEN: "t" },
      files: {
        [FILE]: USER_FILE,
        [OLDER]: { mcpServers: { old: { url: "https://old.example/mcp", transport: "http" } } },
        [PROJECT]: { mcpServers: { docs: { command: "docs-mcp", cwd: "docs" } } },
      },
    }, [
      {
        ...user,
        name: "files",
        state: "run",
        config: {
          type: "stdio",
          command: "npx",
          args: ["files-mcp", "$${LITERAL}"],
          env: { A: "$B" },
          startupTimeout: 5_000,
          enabledTools: ["read"],
          disabledTools: ["write"],
        },
      },
      {
        ...user,
        name: "linear",
        state: "run",
        config: {
          url: "https://mcp.linear.app/mcp",
          headers: { "X-A": "b", "Authorization": "Bearer ${env:LINEAR_TOKEN}" },
          callTimeout: 9_000,
        },
      },
      {
        ...user,
        name: "off",
        state: "disabled",
        config: { type: "sse", url: "https://off.example/sse", enabled: false },
      },
      {
        ...user,
        name: "old",
        state: "run",
        file: OLDER,
        config: { type: "streamable_http", url: "https://old.example/mcp" },
      },
      {
        name: "docs",
        state: "untrusted",
        source: "kimi",
        scope: "project",
        file: PROJECT,
        config: { type: "stdio", command: "docs-mcp", cwd: "docs" },
      },
    ]);
  });
}

Deno.test("Kimi Code's own times hold where an entry has none, variables above its settings", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, USER_FILE);
  await machine.write(OLDER, { mcpServers: { old: { command: "a" } } });
  await machine.write(SETTINGS, "[mcp]\nstartup_timeout_ms = 7000\ntool_timeout_ms = 8000\n");
  const env = { KIMI_MCP_TOOL_TIMEOUT_MS: "1000", KIMI_MCP_STARTUP_TIMEOUT_MS: "soon" };
  const reading = await machine.read(kimi, { env });
  const times = reading.definitions.map(({ name, config }) => [
    name,
    config.startupTimeout,
    config.callTimeout,
  ]);
  assert.deepEqual(times, [
    ["files", 5000, 1000],
    ["linear", 7000, 9000],
    ["off", 7000, 1000],
    ["old", undefined, undefined],
  ]);
});

Deno.test("broken settings of Kimi Code's are told with their place, and cost no server [A05]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, USER_FILE);
  await machine.write(SETTINGS, "[mcp]\nstartup_timeout_ms = \n");
  const reading = await machine.read(kimi);
  assert.match(report(reading, "config.toml").error?.message ?? "", /line 2, column \d+/);
  assert.equal(reading.definitions.length, 3);
});

Deno.test("variables move the folders of Kimi Code and of Kimi CLI", async () => {
  await using machine = await TempMachine.create();
  await machine.write("code/mcp.json", { mcpServers: { x: { command: "code" } } });
  await machine.write("share/mcp.json", { mcpServers: { x: { command: "share" } } });
  const env = { KIMI_CODE_HOME: `${machine.root}/code`, KIMI_SHARE_DIR: `${machine.root}/share` };
  const { definitions } = await machine.read(kimi, { env });
  assert.deepEqual(definitions.map(({ config, source }) => [config.command, source.environment]), [
    ["code", "all"],
    ["share", "base"],
  ]);
});

Deno.test("what is written for Kimi Code is read back the same, a token by its variable", async () => {
  await roundTrip(kimi, {
    type: "stdio",
    command: "npx",
    args: ["$${LITERAL}"],
    env: { A: "b" },
    cwd: "/srv",
    startupTimeout: 2_000,
    callTimeout: 3_000,
    enabledTools: ["a"],
    enabled: false,
  });
  const url = "https://a.example/mcp";
  const headers = { "X-A": "b", "Authorization": "Bearer ${env:TOKEN}" };
  const raw = await roundTrip(kimi, { url, headers }, { scope: "project" });
  assert.deepEqual(raw, { url, bearerTokenEnvVar: "TOKEN", headers: { "X-A": "b" } });
  const format = kimi.writer?.format;
  assert.ok(format !== undefined);
  assert.equal(writeEntry("x", { url, headers: { A: "${env:B}" } }, format).problems.length, 1);
});

Deno.test("a blank name of a token's variable is no header", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, {
    mcpServers: { x: { url: "https://a.example", bearerTokenEnvVar: " " } },
  });
  const { config, problems } = only(await machine.read(kimi), "x");
  assert.deepEqual([config.headers, problems], [undefined, []]);
});

import assert from "node:assert/strict";
import { join } from "node:path";
import { qwenCode } from "../../src/sources/qwen_code.ts";
import { assertPlan } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const FILE = "home/.qwen/settings.json";
const PROJECT = "home/work/project/.qwen/settings.json";

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the files of Qwen Code are read on ${platform}`, async () => {
    const user = { source: "qwen-code", scope: "user", file: FILE } as const;
    await assertPlan({
      platform,
      sources: [qwenCode],
      env: { TOKEN: "t" },
      files: {
        [FILE]: {
          mcp: { excluded: ["*puppeteer*"] },
          mcpServers: {
            program: {
              command: "uvx",
              args: ["srv"],
              env: { TOKEN: "$TOKEN" },
              timeout: 60_000,
              discoveryTimeoutMs: 20_000,
              includeTools: ["a"],
              excludeTools: ["b"],
              trust: true,
              alwaysLoadTools: true,
            },
            http: { httpUrl: "https://a.example/mcp", headers: { "X-Token": "${TOKEN}" } },
            sse: { url: "https://a.example/sse" },
            "my-puppeteer-2": { command: "puppeteer" },
          },
        },
        [PROJECT]: { mcpServers: { local: { command: "node" } } },
      },
      cwd: "src",
    }, [
      {
        ...user,
        name: "program",
        state: "run",
        config: {
          type: "stdio",
          command: "uvx",
          args: ["srv"],
          env: { TOKEN: "$TOKEN" },
          startupTimeout: 20_000,
          callTimeout: 60_000,
          enabledTools: ["a"],
          disabledTools: ["b"],
        },
      },
      {
        ...user,
        name: "http",
        state: "run",
        config: {
          type: "streamable_http",
          url: "https://a.example/mcp",
          headers: { "X-Token": "${TOKEN}" },
        },
      },
      {
        ...user,
        name: "sse",
        state: "run",
        config: { type: "sse", url: "https://a.example/sse" },
      },
      {
        ...user,
        name: "my-puppeteer-2",
        state: "disabled",
        config: { type: "stdio", command: "puppeteer", enabled: false },
      },
      {
        name: "local",
        state: "untrusted",
        source: "qwen-code",
        scope: "project",
        file: PROJECT,
        config: { type: "stdio", command: "node" },
      },
    ]);
  });
}

Deno.test("Qwen Code's folder and the system's settings can be moved", async () => {
  await using machine = await TempMachine.create();
  const servers = (command: string): object => ({ mcpServers: { x: { command } } });
  const env = {
    QWEN_HOME: join(machine.root, "qwen"),
    QWEN_CODE_SYSTEM_SETTINGS_PATH: await machine.write("etc/settings.json", servers("system")),
  };
  await machine.write("etc/system-defaults.json", servers("beside"));
  await machine.write("qwen/settings.json", servers("user"));
  const commands = async (more: Readonly<Record<string, string>>): Promise<readonly unknown[]> => {
    const reading = await machine.read(qwenCode, { env: { ...env, ...more } });
    return reading.definitions.map(({ config, source }) => [config.command, source.scope]);
  };
  assert.deepEqual(await commands({}), [["system", "managed"], ["user", "user"], [
    "beside",
    "user",
  ]]);
  const defaults = await machine.write("defaults.json", servers("defaults"));
  assert.deepEqual((await commands({ QWEN_CODE_SYSTEM_DEFAULTS_PATH: defaults })).at(-1), [
    "defaults",
    "user",
  ]);
});

Deno.test("only servers that fit an allow list are on, and bad entries cost themselves [A05]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, {
    mcp: { allowed: ["git*"] },
    mcpServers: {
      github: { command: "a" },
      other: { command: "b" },
      gitbad: { args: ["x"] },
      gitweb: { url: "https://a.example/mcp", type: "http" },
    },
  });
  await machine.write(PROJECT, "{ not json");
  const reading = await machine.read(qwenCode);
  assert.equal(only(reading, "github").config.enabled, undefined);
  assert.equal(only(reading, "other").config.enabled, false);
  assert.notEqual(only(reading, "gitbad").problems.length, 0);
  assert.deepEqual(only(reading, "github").problems, []);
  const web = only(reading, "gitweb");
  assert.equal(web.config.type, "sse");
  assert.match(web.warnings.join(), /"type" is ignored.*"httpUrl"/);
  assert.match(report(reading, PROJECT).error?.message ?? "", /at line 1, column 3/);
});

Deno.test("what is written for Qwen Code is read back the same", async () => {
  await roundTrip(qwenCode, {
    type: "stdio",
    command: "npx",
    args: ["-y", "x"],
    cwd: "/srv",
    env: { A: "${B}" },
    startupTimeout: 1000,
    callTimeout: 2000,
    enabledTools: ["a"],
  });
  const url = "https://a.example/mcp";
  const http = await roundTrip(qwenCode, { type: "streamable_http", url, headers: { A: "b" } });
  assert.deepEqual(http, { httpUrl: url, headers: { A: "b" } });
  assert.deepEqual(await roundTrip(qwenCode, { type: "sse", url }), { url });
});

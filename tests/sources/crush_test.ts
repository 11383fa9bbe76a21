import assert from "node:assert/strict";
import { join } from "node:path";
import { crush } from "../../src/sources/crush.ts";
import { assertPlan } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const FILE = "home/.config/crush/crush.json";
const PROJECT = "home/work/project/.crush.json";
const DATA = {
  linux: "home/.local/share/crush/crush.json",
  darwin: "home/.local/share/crush/crush.json",
  win32: "home/AppData/Local/crush/crush.json",
} as const;

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the files of Crush are read on ${platform}`, async () => {
    const user = { source: "crush", scope: "user", file: FILE } as const;
    await assertPlan({
      platform,
      sources: [crush],
      env: { KEY: "k" },
      files: {
        [FILE]: `{
          "$schema": "https://charm.land/crush.json",
          "lsp": { "go": { "command": "gopls" } },
          "mcp": {
            "docs": {
              "type": "stdio", "command": "npx", "args": ["-y", "docs"],
              "env": { "KEY": "$KEY" }, "timeout": 120,
              "enabled_tools": ["a"], "disabled_tools": ["b"],
            },
            "remote": {
              "type": "http", "url": "https://a.example/mcp",
              "headers": { "Authorization": "Bearer \${KEY}" }, "oauth": true,
            },
            "older": { "type": "sse", "url": "https://a.example/sse" },
            "off": { "type": "stdio", "command": "off", "disabled": true },
          },
        }`,
        [DATA[platform]]: {
          mcp: {
            older: { disabled: true },
            gone: { oauth_token: { access_token: "secret-token" } },
            remote: { oauth_token: { access_token: "secret-token" } },
          },
        },
        [PROJECT]: { mcp: { local: { type: "stdio", command: "node" } } },
      },
      cwd: "src",
    }, [
      {
        ...user,
        name: "docs",
        state: "run",
        config: {
          type: "stdio",
          command: "npx",
          args: ["-y", "docs"],
          env: { KEY: "$KEY" },
          startupTimeout: 120_000,
          enabledTools: ["a"],
          disabledTools: ["b"],
        },
      },
      {
        ...user,
        name: "remote",
        state: "run",
        config: {
          type: "streamable_http",
          url: "https://a.example/mcp",
          headers: { Authorization: "Bearer ${KEY}" },
          oauth: true,
        },
      },
      {
        ...user,
        name: "older",
        state: "disabled",
        file: DATA[platform],
        config: { type: "sse", url: "https://a.example/sse", enabled: false },
      },
      {
        ...user,
        name: "off",
        state: "disabled",
        config: { type: "stdio", command: "off", enabled: false },
      },
      {
        name: "local",
        state: "untrusted",
        source: "crush",
        scope: "project",
        file: PROJECT,
        config: { type: "stdio", command: "node" },
      },
    ]);
  });
}

Deno.test("the files of Crush that variables name are read, the stronger first", async () => {
  await using machine = await TempMachine.create();
  const server = (command: string): object => ({ mcp: { x: { type: "stdio", command } } });
  const places = [
    ["home/work/project/.crush/crush.json", "kept"],
    ["home/work/project/.crush.json", "hidden"],
    ["home/work/project/crush.json", "project"],
    ["data/crush.json", "data"],
    ["config/crush.json", "config"],
  ] as const;
  for (const [path, command] of places) await machine.write(path, server(command));
  const env = {
    CRUSH_GLOBAL_CONFIG: join(machine.root, "config"),
    CRUSH_GLOBAL_DATA: join(machine.root, "data"),
  };
  const reading = await machine.read(crush, { env });
  assert.deepEqual(
    reading.definitions.map(({ config }) => config.command),
    places.map(([, command]) => command),
  );
  const target = crush.writer?.fileFor(machine.context({ env }), "user")?.path;
  assert.equal(target, join(machine.root, "config/crush.json"));
});

Deno.test("a token of a login is no server, and is kept nowhere", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, {
    mcp: {
      x: { type: "http", url: "https://a.example/mcp", oauth_token: { token: "secret-token" } },
      gone: { oauth_token: { token: "secret-token" } },
    },
  });
  const reading = await machine.read(crush);
  assert.deepEqual(reading.definitions.map(({ name }) => name), ["x"]);
  assert.ok(!JSON.stringify(reading).includes("secret-token"));
});

Deno.test("bad entries and files of Crush cost only themselves [A05] [A10]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, {
    mcp: { bad: { type: "pigeon", command: "a" }, good: { type: "stdio", command: "a" } },
  });
  await machine.write(PROJECT, '{\n  "mcp": {\n    "a": {\n');
  const reading = await machine.read(crush);
  assert.notEqual(only(reading, "bad").problems.length, 0);
  const { problems, source } = only(reading, "good");
  assert.deepEqual([problems, source.dialect, source.environment], [[], "dollar-command", "all"]);
  assert.match(report(reading, PROJECT).error?.message ?? "", /at line 4, column 1/);
});

Deno.test("what is written for Crush is read back the same", async () => {
  const program = await roundTrip(crush, {
    type: "stdio",
    command: "npx",
    args: ["x"],
    env: { A: "$(cat a)" },
    startupTimeout: 30_000,
    enabledTools: ["a"],
    disabledTools: ["b"],
    enabled: false,
  });
  assert.deepEqual([program["type"], program["timeout"]], ["stdio", 30]);
  const url = "https://a.example/mcp";
  await roundTrip(crush, { type: "streamable_http", url, headers: { A: "$B" } });
  await roundTrip(crush, { type: "sse", url }, { scope: "project" });
});

import assert from "node:assert/strict";
import { join } from "node:path";
import { kilo } from "../../src/sources/kilo.ts";
import { assertPlan } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const FILE = "home/.config/kilo/kilo.jsonc";
const PROJECT = "home/work/project/.kilo/kilo.jsonc";
const OLDER = "home/work/project/.kilocode/mcp.json";
const IN_EDITOR = "Code/User/globalStorage/kilocode.kilo-code/settings/mcp_settings.json";
const EDITORS = {
  linux: "home/.config",
  darwin: "home/Library/Application Support",
  win32: "home/AppData/Roaming",
} as const;

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the files of Kilo Code are read on ${platform}`, async () => {
    const user = { source: "kilo", scope: "user", file: FILE } as const;
    const project = { source: "kilo", scope: "project", state: "untrusted" } as const;
    const editor = `${EDITORS[platform]}/${IN_EDITOR}`;
    await assertPlan({
      platform,
      sources: [kilo],
      env: { KEY: "k" },
      files: {
        [FILE]: `{
          // all settings
          "mcp": {
            "docs": { "type": "local", "command": ["npx", "docs"], "env": { "K": "{env:KEY}" } },
            "remote": { "type": "remote", "url": "https://a.example/mcp", "timeout": 7000 },
            "off": { "type": "local", "command": ["off"], "enabled": false },
          },
          "tools": { "docs_delete": false, "remote_*": true },
        }`,
        [PROJECT]: { mcp: { local: { type: "local", command: ["node", "x.js"] } } },
        [OLDER]: {
          mcpServers: {
            local: { command: "older" },
            web: { type: "streamable-http", url: "https://b.example/mcp", alwaysAllow: ["a"] },
          },
        },
        [editor]: { mcpServers: { editor: { command: "e", env: { K: "${env:KEY}" } } } },
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
          args: ["docs"],
          env: { K: "{env:KEY}" },
          disabledTools: ["delete"],
        },
      },
      {
        ...user,
        name: "remote",
        state: "run",
        config: { url: "https://a.example/mcp", startupTimeout: 7000, callTimeout: 7000 },
      },
      {
        ...user,
        name: "off",
        state: "disabled",
        config: { type: "stdio", command: "off", enabled: false },
      },
      {
        ...user,
        name: "editor",
        state: "run",
        file: editor,
        config: { type: "stdio", command: "e", env: { K: "${env:KEY}" } },
      },
      {
        ...project,
        name: "local",
        file: PROJECT,
        config: { type: "stdio", command: "node", args: ["x.js"] },
      },
      {
        ...project,
        name: "web",
        file: OLDER,
        config: { type: "streamable_http", url: "https://b.example/mcp" },
      },
    ]);
  });
}

Deno.test("the files of Kilo Code that variables name are read, the stronger first", async () => {
  await using machine = await TempMachine.create();
  const server = (command: string): object => ({
    mcp: { x: { type: "local", command: [command] } },
  });
  const places = [
    ["home/work/project/.kilo/kilo.json", "project folder"],
    ["home/work/project/.kilocode/kilo.jsonc", "older project folder"],
    ["home/work/project/kilo.json", "project"],
    ["dir/kilo.json", "dir"],
    ["home/.kilo/kilo.json", "home"],
    ["named.json", "named"],
    ["home/.config/kilo/kilo.json", "user"],
    ["home/.config/kilo/config.json", "config"],
  ] as const;
  for (const [path, command] of places) await machine.write(path, server(command));
  const env = {
    KILO_CONFIG: join(machine.root, "named.json"),
    KILO_CONFIG_DIR: join(machine.root, "dir"),
  };
  const reading = await machine.read(kilo, { env });
  assert.deepEqual(
    reading.definitions.map(({ config }) => config.command),
    places.map(([, command]) => command),
  );
});

Deno.test("new servers go where Kilo Code puts them", async () => {
  await using machine = await TempMachine.create();
  const target = (scope: "user" | "project"): string | undefined =>
    kilo.writer?.fileFor(machine.context(), scope)?.path;
  await machine.write(OLDER, {});
  assert.deepEqual([target("user"), target("project")], [
    join(machine.root, FILE),
    join(machine.root, PROJECT),
  ]);
  const project = await machine.write("home/work/project/kilo.json", {});
  assert.equal(target("project"), project);
});

Deno.test("bad entries and files of Kilo Code cost only themselves [A05] [A10]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, {
    mcp: { bad: { type: "pigeon" }, good: { type: "local", command: ["a"] } },
  });
  await machine.write(PROJECT, "{\n  nope\n}");
  const reading = await machine.read(kilo);
  assert.notEqual(only(reading, "bad").problems.length, 0);
  assert.deepEqual([only(reading, "good").problems, only(reading, "good").source.rank], [[], 30]);
  assert.match(report(reading, PROJECT).error?.message ?? "", /at line 2, column 3/);
});

Deno.test("what is written for Kilo Code is read back the same", async () => {
  const program = { type: "stdio", command: "npx", args: ["x"], env: { A: "b" } } as const;
  await roundTrip(kilo, { ...program, enabled: false });
  const url = "https://a.example/mcp";
  await roundTrip(kilo, { url, headers: { A: "{env:B}" } }, { scope: "project" });
});

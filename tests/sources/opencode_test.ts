import assert from "node:assert/strict";
import { join } from "node:path";
import { opencode } from "../../src/sources/opencode.ts";
import { assertPlan } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const FILE = "home/.config/opencode/opencode.jsonc";
const JSON_FILE = "home/.config/opencode/opencode.json";
const PROJECT = "home/work/project/opencode.json";

const USER_FILE = `{
  "$schema": "https://opencode.ai/config.json",
  // as opencode writes it
  "mcp": {
    "docs": {
      "type": "local",
      "command": ["npx", "-y", "docs-mcp"],
      "environment": { "TOK": "abc", "KEY": "{env:KEY}" },
      "timeout": 8000,
    },
    "remote": {
      "type": "remote",
      "url": "https://a.example/mcp",
      "headers": { "Authorization": "Bearer {env:KEY}" },
      "oauth": false,
      "timeout": { "startup": 3000, "execution": 90000 },
    },
    "off": { "type": "local", "command": ["off-mcp"], "enabled": false },
    "offToo": { "type": "local", "command": ["off-too"], "disabled": true },
  },
}`;

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the files of opencode are read on ${platform} (mistakes 5 and 6)`, async () => {
    const user = { source: "opencode", scope: "user", file: FILE } as const;
    await assertPlan({
      platform,
      sources: [opencode],
      env: { KEY: "k" },
      files: {
        [FILE]: USER_FILE,
        [PROJECT]: { mcp: { local: { type: "local", command: ["node", "x.js"], cwd: "tools" } } },
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
          args: ["-y", "docs-mcp"],
          env: { TOK: "abc", KEY: "{env:KEY}" },
          startupTimeout: 8000,
          callTimeout: 8000,
        },
      },
      {
        ...user,
        name: "remote",
        state: "run",
        config: {
          url: "https://a.example/mcp",
          headers: { Authorization: "Bearer {env:KEY}" },
          oauth: false,
          startupTimeout: 3000,
          callTimeout: 90_000,
        },
      },
      {
        ...user,
        name: "off",
        state: "disabled",
        config: { type: "stdio", command: "off-mcp", enabled: false },
      },
      {
        ...user,
        name: "offToo",
        state: "disabled",
        config: { type: "stdio", command: "off-too", enabled: false },
      },
      {
        name: "local",
        state: "untrusted",
        source: "opencode",
        scope: "project",
        file: PROJECT,
        config: { type: "stdio", command: "node", args: ["x.js"], cwd: "tools" },
      },
    ]);
  });
}

Deno.test("all files of opencode are read, the stronger first", async () => {
  await using machine = await TempMachine.create();
  const server = (command: string): object => ({
    mcp: { x: { type: "local", command: [command] } },
  });
  const places = [
    ["home/work/project/.opencode/opencode.jsonc", "folder jsonc"],
    ["home/work/project/.opencode/opencode.json", "folder json"],
    ["home/work/project/opencode.jsonc", "project jsonc"],
    ["home/work/project/opencode.json", "project json"],
    ["dir/opencode.jsonc", "dir jsonc"],
    ["dir/opencode.json", "dir json"],
    ["home/.opencode/opencode.jsonc", "home jsonc"],
    ["home/.opencode/opencode.json", "home json"],
    ["named.json", "named"],
    [FILE, "user jsonc"],
    [JSON_FILE, "user json"],
    ["home/.config/opencode/config.json", "config"],
  ] as const;
  for (const [path, command] of places) await machine.write(path, server(command));
  const env = {
    OPENCODE_CONFIG: join(machine.root, "named.json"),
    OPENCODE_CONFIG_DIR: join(machine.root, "dir"),
  };
  const reading = await machine.read(opencode, { env });
  assert.deepEqual(
    reading.definitions.map(({ config }) => config.command),
    places.map(([, command]) => command),
  );
});

Deno.test("new servers go where opencode puts them", async () => {
  await using machine = await TempMachine.create();
  const target = (scope: "user" | "project"): string | undefined =>
    opencode.writer?.fileFor(machine.context(), scope)?.path;
  assert.equal(target("user"), join(machine.root, FILE));
  assert.equal(target("project"), join(machine.workspace, "opencode.jsonc"));
  await machine.write("home/.opencode/opencode.json", {});
  const user = await machine.write(JSON_FILE, {});
  const project = await machine.write(PROJECT, {});
  assert.deepEqual([target("user"), target("project")], [user, project]);
});

Deno.test("an entry that is a switch alone changes that of another file [A31]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, {
    mcp: {
      a: { type: "local", command: ["a"], environment: { T: "u" } },
      b: { type: "local", command: ["b"], enabled: false },
    },
  });
  await machine.write(PROJECT, {
    mcp: { a: { enabled: false }, b: { enabled: true }, unknown: { enabled: false } },
  });
  const reading = await machine.read(opencode);
  const [a, b, ...rest] = reading.definitions;
  assert.deepEqual([a?.source.scope, a?.config.enabled, a?.problems], ["project", false, []]);
  assert.deepEqual(a?.config.env, { T: "u" });
  assert.deepEqual([b?.source.scope, b?.config.enabled, b?.config.command], ["project", true, "b"]);
  assert.deepEqual(rest.map(({ source }) => source.scope), ["user", "user"]);
  assert.match(report(reading, PROJECT).warnings.join(), /"unknown" .* is ignored/);
});

Deno.test("what the user switches off stays off in a project that does not switch it on", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, {
    mcp: {
      a: { enabled: false },
      b: { enabled: false },
      c: { type: "local", command: ["c"], enabled: false },
    },
  });
  const entry = { type: "local", command: ["p"] };
  await machine.write(PROJECT, { mcp: { a: entry, b: { ...entry, enabled: true }, c: entry } });
  const reading = await machine.read(opencode);
  const [a, b, c] = reading.definitions;
  assert.deepEqual([a, b, c].map((one) => one?.config.enabled), [false, true, false]);
  assert.match(a?.switchedOffBy?.[0]?.path ?? "", /opencode\.jsonc$/);
  assert.deepEqual(report(reading, FILE).warnings, []);
});

Deno.test("tools that the tools map switches off are left out", async () => {
  await using machine = await TempMachine.create();
  const entry = (command: string): object => ({ type: "local", command: [command] });
  await machine.write(FILE, {
    mcp: { "my.docs": entry("a"), git: entry("b"), all: entry("c"), free: entry("d") },
    tools: { "my_docs_delete": false, "my_docs_x*": false, "gi*": false, "git_list": true },
  });
  await machine.write(PROJECT, { tools: { "all_*": false, "free_a": true, "bash": false } });
  const reading = await machine.read(opencode);
  const lists = (name: string): readonly unknown[] => {
    const { enabledTools, disabledTools } = only(reading, name).config;
    return [enabledTools, disabledTools];
  };
  assert.deepEqual(lists("my.docs"), [undefined, ["delete", "x*"]]);
  assert.deepEqual(lists("git"), [["list"], undefined]);
  assert.deepEqual(lists("all"), [undefined, ["*"]]);
  assert.deepEqual(lists("free"), [undefined, undefined]);
});

Deno.test("odd entries and broken files of opencode cost only themselves [A05] [A12]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, {
    mcp: {
      env: { type: "local", command: ["a"], env: { T: "x" } },
      text: { type: "local", command: "a", args: ["b"] },
      bad: { type: "local", command: [] },
      stdio: { type: "remote" },
    },
  });
  await machine.write(PROJECT, '{ "mcp": { "a": } }');
  const reading = await machine.read(opencode);
  assert.deepEqual(only(reading, "env").config.env, { T: "x" });
  assert.match(only(reading, "env").warnings.join(), /should be "environment"/);
  assert.deepEqual(only(reading, "text").config.args, ["b"]);
  assert.notEqual(only(reading, "bad").problems.length, 0);
  assert.match(report(reading, PROJECT).error?.message ?? "", /at line 1, column 17/);
});

Deno.test("what is written for opencode is read back the same", async () => {
  const program = await roundTrip(opencode, {
    type: "stdio",
    command: "npx",
    args: ["-y", "x"],
    cwd: "/srv",
    env: { A: "{env:B}" },
    startupTimeout: 9000,
    callTimeout: 9000,
    enabled: false,
  });
  assert.deepEqual(program, {
    type: "local",
    cwd: "/srv",
    environment: { A: "{env:B}" },
    enabled: false,
    timeout: 9000,
    command: ["npx", "-y", "x"],
  });
  const url = "https://a.example/mcp";
  await roundTrip(opencode, { url, headers: { A: "b" }, oauth: false }, { scope: "project" });
  await roundTrip(opencode, { type: "sse", url }, { expected: { url } });
});

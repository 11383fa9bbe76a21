import assert from "node:assert/strict";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { claudeCode } from "../../src/sources/claude_code.ts";
import { readSources } from "../../src/sources/read_all.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const HOME_FILE = "home/.claude.json";

Deno.test("local servers of this folder stand above the user's", async () => {
  await using machine = await TempMachine.create();
  await machine.write(HOME_FILE, {
    numStartups: 7,
    mcpServers: { x: { command: "user" } },
    projects: {
      [machine.workspace]: { mcpServers: { x: { command: "local" } } },
      "/somewhere/else": { mcpServers: { other: { command: "no" } } },
    },
  });
  const reading = await machine.read(claudeCode);
  const facts = reading.definitions.map(({ config, source }) => {
    return [config.command, source.scope, source.rank, source.dialect, source.environment];
  });
  assert.deepEqual(facts, [
    ["local", "local", 80, "braces", "all"],
    ["user", "user", 80, "braces", "all"],
  ]);
  assert.deepEqual(reading.reports.map(({ scope, state, servers }) => [scope, state, servers]), [
    ["local", "loaded", 1],
    ["user", "loaded", 1],
  ]);
});

Deno.test("the folder is known as the current one and as the root, the nearer first", async () => {
  await using machine = await TempMachine.create();
  const sub = join(machine.workspace, "sub");
  await machine.write(HOME_FILE, {
    projects: {
      [machine.workspace]: { mcpServers: { x: { command: "root" } } },
      [sub]: { mcpServers: { x: { command: "sub" } } },
    },
  });
  const reading = await machine.read(claudeCode, { cwd: "sub" });
  assert.deepEqual(reading.definitions.map(({ config }) => config.command), ["sub", "root"]);
});

Deno.test({
  name: "the folder is known by its real name too [A42]",
  ignore: Deno.build.os === "windows",
  async fn(): Promise<void> {
    await using machine = await TempMachine.create();
    await machine.write(HOME_FILE, {
      projects: { [machine.workspace]: { mcpServers: { x: { command: "real" } } } },
    });
    const link = join(machine.root, "link");
    await symlink(machine.workspace, link);
    const base = machine.context();
    const reading = await readSources({
      ...base,
      machine: { ...base.machine, cwd: link },
      workspacePath: link,
    }, [claudeCode]);
    assert.equal(only(reading, "x").config.command, "real");
  },
});

Deno.test("on Windows the folder may be written with slashes", async () => {
  await using machine = await TempMachine.create();
  await machine.write(HOME_FILE, {
    projects: { "C:/code/project": { mcpServers: { x: { command: "a" } } } },
  });
  const base = machine.context({ platform: "win32" });
  const reading = await readSources({ ...base, workspacePath: "C:\\code\\project" }, [claudeCode]);
  assert.equal(only(reading, "x").source.scope, "local");
});

Deno.test("CLAUDE_CONFIG_DIR moves the file", async () => {
  await using machine = await TempMachine.create();
  await machine.write(HOME_FILE, { mcpServers: { x: { command: "home" } } });
  const path = await machine.write("moved/.claude.json", {
    mcpServers: { x: { command: "moved" } },
  });
  const env = { CLAUDE_CONFIG_DIR: join(machine.root, "moved") };
  const { config, source } = only(await machine.read(claudeCode, { env }), "x");
  assert.deepEqual([config.command, source.path], ["moved", path]);
});

Deno.test("servers that the user switched off for this folder are off", async () => {
  await using machine = await TempMachine.create();
  await machine.write(HOME_FILE, {
    mcpServers: { a: { command: "a" }, b: { command: "b" } },
    projects: { [machine.workspace]: { disabledMcpServers: ["a"] } },
  });
  const reading = await machine.read(claudeCode);
  assert.equal(only(reading, "a").config.enabled, false);
  assert.match(only(reading, "a").warnings.join(), /disabledMcpServers/);
  assert.notEqual(only(reading, "b").config.enabled, false);
});

Deno.test("a url without a type is a problem that names the fix", async () => {
  await using machine = await TempMachine.create();
  await machine.write(
    HOME_FILE,
    `{ "mcpServers": {
    "bad": { "url": "https://h.example/mcp" },
    "good": { "type": "http", "url": "https://h.example/mcp" } } }`,
  );
  const reading = await machine.read(claudeCode);
  const [problem, ...rest] = only(reading, "bad").problems;
  assert.deepEqual(rest, []);
  assert.match(problem?.message ?? "", /"url" is given without "type" \(.*\.claude\.json:2\)$/);
  assert.match(problem?.hint ?? "", /"type": "http"/);
  assert.deepEqual(only(reading, "good").problems, []);
});

Deno.test("a timeout limits one call; one below a second is ignored and said", async () => {
  await using machine = await TempMachine.create();
  await machine.write(HOME_FILE, {
    mcpServers: {
      long: { command: "a", timeout: 120_000 },
      short: { command: "a", timeout: 500 },
      helper: { type: "http", url: "https://h.example/", headersHelper: "get-headers" },
    },
  });
  const reading = await machine.read(claudeCode);
  assert.equal(only(reading, "long").config.callTimeout, 120_000);
  assert.equal(only(reading, "long").config.startupTimeout, undefined);
  assert.equal(only(reading, "short").config.callTimeout, undefined);
  assert.match(only(reading, "short").warnings.join(), /"timeout" is ignored/);
  assert.match(only(reading, "helper").warnings.join(), /"headersHelper" is not run/);
});

Deno.test("a file of state without servers is plainly empty", async () => {
  await using machine = await TempMachine.create();
  await machine.write(HOME_FILE, { numStartups: 1, servers: { a: { command: "a" } } });
  const { state, error } = report(await machine.read(claudeCode), ".claude.json");
  assert.deepEqual([state, error], ["empty", null]);
});

Deno.test("servers in a settings file are a near miss [A45]", async () => {
  await using machine = await TempMachine.create();
  const servers = { mcpServers: { x: { command: "a" } } };
  await machine.write("home/work/project/.claude/settings.json", servers);
  await machine.write("home/.claude/settings.json", servers);
  await machine.write("home/work/project/.claude/settings.local.json", { permissions: {} });
  const reading = await machine.read(claudeCode);
  const near = reading.reports.filter(({ state }) => state === "near-miss");
  assert.deepEqual(
    near.map(({ path, scope }) => [path.slice(machine.root.length + 1), scope]).sort(),
    [
      ["home/.claude/settings.json", "user"],
      ["home/work/project/.claude/settings.json", "project"],
    ],
  );
  assert.match(near.map(({ warnings }) => warnings.join()).join(), /belong in ".*\.mcp\.json"/);
  assert.deepEqual(reading.definitions, []);
});

Deno.test("a file of several megabytes is opened once and read in well under a second [A44]", async () => {
  await using machine = await TempMachine.create();
  const history = Array.from({ length: 100 }, (_, i) => ({ display: `${i} ${"x".repeat(180)}` }));
  const projects: Record<string, unknown> = {};
  for (let i = 0; i < 120; i++) projects[`/home/u/project-${i}`] = { history, mcpServers: {} };
  projects[machine.workspace] = { history, mcpServers: { local: { command: "l" } } };
  await mkdir(machine.home, { recursive: true });
  await machine.write(HOME_FILE, { projects, mcpServers: { user: { command: "u" } } });
  const base = machine.context();
  let opened = 0;
  const started = performance.now();
  const reading = await readSources({
    ...base,
    readFile: (path, options) => {
      if (path.endsWith(".claude.json")) opened++;
      return base.readFile(path, options);
    },
  }, [claudeCode]);
  assert.deepEqual(reading.definitions.map(({ name }) => name), ["local", "user"]);
  assert.equal(opened, 1);
  assert.ok(performance.now() - started < 1000);
});

import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { claudeCode } from "../../src/sources/claude_code.ts";
import { CLAUDE_FORMAT } from "../../src/sources/claude_entry.ts";
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
    ["managed", "absent", 0],
    ["local", "loaded", 1],
    ["user", "loaded", 1],
    // The list of plugins, and the file of early versions.
    ["user", "absent", 0],
    ["user", "absent", 0],
  ]);
  assert.equal(report(reading, "managed-mcp.json").state, "absent");
  assert.equal(report(reading, "installed_plugins.json").state, "absent");
  assert.equal(report(reading, ".claude/.config.json").state, "absent");
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
  await machine.write(HOME_FILE, { numStartups: 1, servers: { a: 1 } });
  const { state, error } = report(await machine.read(claudeCode), ".claude.json");
  assert.deepEqual([state, error], ["empty", null]);
});

Deno.test("servers under another key of a file of state are named [A07]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(HOME_FILE, { numStartups: 1, servers: { a: { command: "a" } } });
  const { state, error } = report(await machine.read(claudeCode), ".claude.json");
  assert.equal(state, "empty");
  assert.match(error?.message ?? "", /found servers in "servers"$/);
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

Deno.test("a file of megabytes with 200 projects is opened once and read fast [A44]", async () => {
  await using machine = await TempMachine.create();
  const history = Array.from({ length: 75 }, (_, i) => ({ display: `${i} ${"x".repeat(180)}` }));
  const projects: Record<string, unknown> = {};
  for (let i = 0; i < 200; i++) {
    projects[`/home/u/project-${i}`] = { history, mcpServers: { other: { command: "o" } } };
  }
  projects[machine.workspace] = { history, mcpServers: { local: { command: "l" } } };
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
  assert.ok(performance.now() - started < 500);
});

Deno.test("what an administrator lays down is managed, on every system", async () => {
  await using machine = await TempMachine.create();
  const kept = await machine.write("managed.json", { mcpServers: { corp: { command: "c" } } });
  await machine.write(HOME_FILE, { mcpServers: { corp: { command: "user" } } });
  const folders = {
    linux: "/etc/claude-code",
    darwin: "/Library/Application Support/ClaudeCode",
    win32: "C:\\Program Files\\ClaudeCode",
  };
  for (const [platform, folder] of Object.entries(folders)) {
    const base = machine.context({ platform });
    const reading = await readSources({
      ...base,
      readFile: async (path, options) =>
        path === join(folder, "managed-mcp.json")
          ? { ...await base.readFile(kept), path }
          : await base.readFile(path, options),
    }, [claudeCode]);
    assert.deepEqual(
      reading.definitions.map(({ config, source }) => [config.command, source.scope]),
      [["c", "managed"], ["user", "user"]],
    );
  }
});

Deno.test("the file of an early version is read in the place of the usual one", async () => {
  await using machine = await TempMachine.create();
  await machine.write(HOME_FILE, { mcpServers: { x: { command: "usual" } } });
  const early = await machine.write("home/.claude/.config.json", {
    mcpServers: { x: { command: "early" } },
  });
  const { config, source } = only(await machine.read(claudeCode), "x");
  assert.deepEqual([config.command, source.path], ["early", early]);
  assert.deepEqual(claudeCode.writer?.fileFor(machine.context(), "user"), { path: early });
});

Deno.test("a worktree has the local servers and switches of its main checkout [A41]", async () => {
  await using machine = await TempMachine.create();
  const main = join(machine.home, "work", "main");
  const record = await machine.write(
    "home/work/main/.git/worktrees/w/gitdir",
    `${join(machine.workspace, ".git")}\n`,
  );
  await machine.write("home/work/project/.git", `gitdir: ${dirname(record)}\n`);
  await machine.write(HOME_FILE, {
    projects: { [main]: { mcpServers: { x: { command: "a" } }, disabledMcpServers: ["x"] } },
  });
  const { config, source } = only(await machine.read(claudeCode), "x");
  assert.deepEqual([source.scope, config.enabled], ["local", false]);
  const off = CLAUDE_FORMAT.spelling?.off;
  assert.ok(off?.kind === "list" && typeof off.path === "function");
  assert.deepEqual(off.path(machine.context()), ["projects", main, "disabledMcpServers"]);
});

import assert from "node:assert/strict";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { findWorkspace } from "../../src/platform/workspace.ts";
import { mcpJson } from "../../src/sources/mcp_json.ts";
import { readSources } from "../../src/sources/read_all.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import type { SourceContext } from "../../src/sources/source.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

Deno.test(".mcp.json outranks mcp.json", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/work/project/.mcp.json", { mcpServers: { a: { command: "a" } } });
  await machine.write("home/work/project/mcp.json", { mcpServers: { b: { command: "b" } } });
  const reading = await machine.read(mcpJson);
  const facts = reading.definitions.map(({ name, source }) => {
    const { label, scope, rank, dialect, environment, store } = source;
    return [name, label, scope, rank, dialect, environment, store];
  });
  assert.deepEqual(facts, [
    ["a", ".mcp.json", "project", 80, "hotplug", "safe", false],
    ["b", "mcp.json", "project", 20, "hotplug", "safe", false],
  ]);
});

Deno.test("files up to the workspace root are read, nearest first, the farther kept [A24] [A41] [G19]", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/work/.mcp.json", { mcpServers: { above: { command: "no" } } });
  await machine.write("home/work/project/.mcp.json", {
    mcpServers: { x: { command: "far" }, root: { command: "root" } },
  });
  await machine.write("home/work/project/a/b/.mcp.json", {
    mcpServers: { x: { command: "near" } },
  });
  const reading = await machine.read(mcpJson, { cwd: "a/b" });
  assert.deepEqual(reading.definitions.map(({ name, config }) => [name, config.command]), [
    ["x", "near"],
    ["x", "far"],
    ["root", "root"],
  ]);
  const paths = reading.reports.filter(({ label }) => label === ".mcp.json").map(({ path }) =>
    path
  );
  assert.deepEqual(paths, [
    join(machine.workspace, "a", "b", ".mcp.json"),
    join(machine.workspace, "a", ".mcp.json"),
    join(machine.workspace, ".mcp.json"),
  ]);
});

Deno.test("a worktree reads its own file and not the main checkout's [A41]", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/work/project/.mcp.json", { mcpServers: { main: { command: "m" } } });
  await machine.write("home/work/project/.git/HEAD", "ref: refs/heads/main\n");
  await machine.write("home/work/tree/.git", "gitdir: ../project/.git/worktrees/tree\n");
  await machine.write("home/work/tree/.mcp.json", { mcpServers: { tree: { command: "t" } } });
  const cwd = join(machine.home, "work", "tree", "sub");
  await mkdir(cwd, { recursive: true });
  const base = machine.context();
  const reading = await readSources({
    ...base,
    machine: { ...base.machine, cwd },
    workspacePath: await findWorkspace(cwd, machine.home),
  }, [mcpJson]);
  assert.deepEqual(reading.definitions.map(({ name }) => name), ["tree"]);
});

Deno.test({
  name: "a folder reached by a link finds the files of its real parents [A42]",
  ignore: Deno.build.os === "windows",
  async fn(): Promise<void> {
    await using machine = await TempMachine.create();
    await machine.write("home/work/project/.git/HEAD", "ref: refs/heads/main\n");
    await machine.write("home/work/project/.mcp.json", { mcpServers: { root: { command: "r" } } });
    await machine.write("home/work/project/a/.mcp.json", { mcpServers: { a: { command: "a" } } });
    await machine.write("home/work/project/a/b/.mcp.json", { mcpServers: { b: { command: "b" } } });
    const link = join(machine.root, "link");
    await symlink(join(machine.workspace, "a", "b"), link);
    const base = machine.context();
    const reading = await readSources({
      ...base,
      machine: { ...base.machine, cwd: link },
      workspacePath: await findWorkspace(link, machine.home),
    }, [mcpJson]);
    assert.deepEqual(reading.definitions.map(({ name }) => name), ["b", "a", "root"]);
  },
});

Deno.test({
  name: "a link inside the workspace adds the real parents and repeats none [A42]",
  ignore: Deno.build.os === "windows",
  async fn(): Promise<void> {
    await using machine = await TempMachine.create();
    await machine.write("home/work/project/.mcp.json", { mcpServers: { root: { command: "r" } } });
    await machine.write("home/work/project/a/.mcp.json", { mcpServers: { a: { command: "a" } } });
    await machine.write("home/work/project/a/b/.mcp.json", { mcpServers: { b: { command: "b" } } });
    await machine.write("home/work/project/x/.mcp.json", { mcpServers: { x: { command: "x" } } });
    await symlink(join(machine.workspace, "a", "b"), join(machine.workspace, "x", "link"));
    const reading = await machine.read(mcpJson, { cwd: "x/link" });
    assert.deepEqual(reading.definitions.map(({ name }) => name), ["b", "x", "a", "root"]);
  },
});

Deno.test("a user file of some source is never read as a project file", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/.config/hotplug/mcp.json", { mcpServers: { s: { command: "s" } } });
  const folder = join(machine.home, ".config", "hotplug");
  const base = machine.context();
  const context: SourceContext = {
    ...base,
    machine: { ...base.machine, cwd: folder },
    workspacePath: folder,
  };
  const reading = await readSources(context, SOURCES);
  assert.deepEqual(reading.definitions.map(({ source }) => source.id), ["store"]);
});

Deno.test({
  name: "a user file is known under the real name of a linked home folder too",
  ignore: Deno.build.os === "windows",
  async fn(): Promise<void> {
    await using machine = await TempMachine.create();
    await machine.write("home/.omp/mcp.json", { mcpServers: { o: { command: "o" } } });
    const linked = join(machine.root, "linked");
    await symlink(machine.home, linked);
    const base = machine.context();
    const cwd = join(machine.home, ".omp");
    const reading = await readSources({
      ...base,
      machine: { ...base.machine, home: linked, cwd },
      workspacePath: cwd,
    }, SOURCES);
    assert.deepEqual(reading.definitions.map(({ source }) => source.id), ["oh-my-pi"]);
  },
});

Deno.test("a project file of another user is unreadable, one of root's is taken", async () => {
  await using machine = await TempMachine.create();
  const path = await machine.write("home/work/project/.mcp.json", {
    mcpServers: { x: { command: "x" } },
  });
  const base = machine.context();
  // Owners cannot be changed without being root, so the reader is told whose file it is.
  const ownedBy = (owner: number): SourceContext => ({
    ...base,
    machine: { ...base.machine, uid: 1000 },
    readFile: (file, options) => {
      const wanted = options?.ownerUid ?? owner;
      if (file !== path || wanted === owner) return base.readFile(file);
      const error = { code: "config-unreadable", message: "another user", hint: null } as const;
      return Promise.resolve({ state: "unreadable", path: file, error });
    },
  });
  const theirs = await readSources(ownedBy(1001), [mcpJson]);
  assert.deepEqual(theirs.definitions, []);
  assert.equal(report(theirs, "/.mcp.json").state, "unreadable");
  assert.equal(report(theirs, "/.mcp.json").error?.message, "another user");
  assert.equal((await readSources(ownedBy(1000), [mcpJson])).definitions.length, 1);
  assert.equal((await readSources(ownedBy(0), [mcpJson])).definitions.length, 1);
});

Deno.test("one bad file leaves the other files alone [A01] [A43]", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/work/project/.mcp.json", `{ "mcpServers": {`);
  await machine.write("home/work/project/mcp.json", { mcpServers: { b: { command: "b" } } });
  const reading = await machine.read(mcpJson);
  assert.equal(report(reading, "/.mcp.json").state, "malformed");
  assert.equal(only(reading, "b").config.command, "b");
});

Deno.test("files that nobody reads are near misses, if they hold servers [A45]", async () => {
  await using machine = await TempMachine.create();
  const servers = { mcpServers: { x: { command: "x" } } };
  await machine.write("home/work/project/mcp.config.json", servers);
  await machine.write("home/work/project/.mcp/mcp.json", servers);
  await machine.write("home/work/project/claude_desktop_config.json", servers);
  await machine.write("home/work/project/mcp_config.json", { color: "blue" });
  const reading = await machine.read(mcpJson);
  const near = reading.reports.filter(({ state }) => state === "near-miss");
  assert.deepEqual(near.map(({ path }) => path.slice(machine.workspace.length + 1)), [
    join(".mcp", "mcp.json"),
    "claude_desktop_config.json",
    "mcp.config.json",
  ]);
  assert.match(near[0]?.warnings[0] ?? "", /belong in ".*\.mcp\.json"$/);
  assert.deepEqual(reading.definitions, []);
});

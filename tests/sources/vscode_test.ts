import assert from "node:assert/strict";
import type { ServerConfig } from "../../src/model/definition.ts";
import { vscode, vscodeInsiders, vscodium } from "../../src/sources/vscode.ts";
import { writeEntry } from "../../src/sources/written_entry.ts";
import { assertPlan, type GoldenRow, planRows } from "./golden.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const SOURCES = [vscode, vscodeInsiders, vscodium];
const FOLDERS = {
  linux: "home/.config",
  darwin: "home/Library/Application Support",
  win32: "home/AppData/Roaming",
} as const;
const USER = "home/.config/Code/User";
const PROJECT = "home/work/project";

/** A file as VS Code writes it, comments and all. */
const USER_FILE = `{
  // Asked for once
  "inputs": [{ "type": "promptString", "id": "gh-token", "password": true, "default": "x" }],
  "servers": {
    "github": {
      "type": "stdio",
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-github"],
      "env": { "GITHUB_TOKEN": "\${input:gh-token}" },
      "gallery": true,
      "version": "1.0.0",
    },
    "docs": { "type": "http", "url": "https://docs.example/mcp", "headers": { "X": "\${env:X}" } },
    "local": { "command": "node", "envFile": "\${workspaceFolder}/.env", "env": { "N": null },
      "dev": { "watch": "src/**" }, "sandboxEnabled": false },
  },
}`;

for (const platform of ["linux", "darwin", "win32"] as const) {
  for (
    const [folder, id] of [["Code", "vscode"], ["Code - Insiders", "vscode-insiders"]] as const
  ) {
    Deno.test(`the user's file of ${folder} is read on ${platform} [A01] [A19]`, async () => {
      const row = {
        source: id,
        scope: "user",
        file: `${FOLDERS[platform]}/${folder}/User/mcp.json`,
      } as const;
      await assertPlan({
        platform,
        sources: SOURCES,
        env: { X: "x" },
        files: { [row.file]: USER_FILE },
      }, [
        {
          ...row,
          name: "github",
          state: "needs-input",
          config: {
            type: "stdio",
            command: "npx",
            args: ["-y", "@modelcontextprotocol/server-github"],
            env: { GITHUB_TOKEN: "${input:gh-token}" },
          },
        },
        {
          ...row,
          name: "docs",
          state: "run",
          config: { url: "https://docs.example/mcp", headers: { X: "${env:X}" } },
        },
        {
          ...row,
          name: "local",
          state: "untrusted",
          config: {
            type: "stdio",
            command: "node",
            envFile: "${workspaceFolder}/.env",
            env: { N: null },
          },
        },
      ]);
    });
  }
}

Deno.test("project files belong to VS Code alone, and wait for an approval", async () => {
  const server = (command: string): object => ({ servers: { x: { command } } });
  const rows = await planRows({
    platform: "linux",
    sources: SOURCES,
    cwd: "src",
    files: {
      [`${PROJECT}/.vscode/mcp.json`]: server("project"),
      [`${USER}/mcp.json`]: server("code"),
      "home/.config/Code - Insiders/User/mcp.json": { servers: { y: { command: "insiders" } } },
      "home/.config/VSCodium/User/mcp.json": { servers: { z: { command: "codium" } } },
    },
  });
  const facts = (row: GoldenRow): readonly unknown[] => [row.name, row.source, row.config.command];
  assert.deepEqual(rows.map(facts).sort(), [
    ["x", "vscode", "code"],
    ["y", "vscode-insiders", "insiders"],
    ["z", "vscodium", "codium"],
  ]);
  await using machine = await TempMachine.create();
  await machine.write(`${PROJECT}/.vscode/mcp.json`, server("project"));
  const { source } = only(await machine.read(vscode, { cwd: "src" }), "x");
  assert.deepEqual([source.scope, source.base, source.rank], ["project", machine.workspace, 40]);
  const codium = await machine.read(vscodium);
  assert.deepEqual(codium.definitions, []);
  assert.equal(report(codium, "VSCodium/User/mcp.json").confirmed, false);
});

Deno.test("profiles, remote machines and old settings are read", async () => {
  await using machine = await TempMachine.create();
  const server = (name: string): object => ({ servers: { [name]: { command: name } } });
  await machine.write(`${USER}/profiles/4f1/mcp.json`, server("profile"));
  await machine.write(`${USER}/profiles/empty/settings.json`, {});
  await machine.write("home/.vscode-server/data/User/mcp.json", server("remote"));
  await machine.write(`${USER}/settings.json`, { "editor.tabSize": 2, mcp: server("settings") });
  await machine.write(`${PROJECT}/.vscode/settings.json`, { mcp: server("workspace") });
  const reading = await machine.read(vscode);
  assert.deepEqual(reading.definitions.map(({ name, source }) => `${name} ${source.scope}`), [
    "workspace project",
    "remote user",
    "settings user",
    "profile user",
  ]);
  await machine.write("home/.vscode-server-insiders/data/User/mcp.json", server("daily"));
  assert.equal(only(await machine.read(vscodeInsiders), "daily").config.command, "daily");
});

Deno.test("workspaces and containers declare servers of the project", async () => {
  await using machine = await TempMachine.create();
  const server = (name: string): object => ({ servers: { [name]: { command: name } } });
  const container = (name: string): object => ({
    image: "x",
    customizations: { vscode: { mcp: server(name) } },
  });
  await machine.write(`${PROJECT}/all.code-workspace`, {
    folders: [{ path: "." }],
    settings: { mcp: server("in-settings") },
    mcp: server("beside"),
  });
  await machine.write(`${PROJECT}/none.code-workspace`, { folders: [], settings: {} });
  await machine.write(`${PROJECT}/.devcontainer.json`, container("flat"));
  await machine.write(`${PROJECT}/.devcontainer/devcontainer.json`, container("usual"));
  await machine.write(`${PROJECT}/.devcontainer/python/devcontainer.json`, container("named"));
  const reading = await machine.read(vscode, { cwd: "src" });
  assert.deepEqual(reading.definitions.map(({ name }) => name), [
    "usual",
    "flat",
    "in-settings",
    "beside",
    "named",
  ]);
  for (const { source, problems } of reading.definitions) {
    assert.deepEqual([source.scope, source.base, problems], ["project", machine.workspace, []]);
  }
  assert.equal(report(reading, "none.code-workspace").state, "empty");
  assert.equal(report(reading, "project/.devcontainer").state, "loaded");
});

Deno.test("settings without servers are listed and say nothing, broken ones are named [A10]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(`${USER}/settings.json`, { "editor.tabSize": 2 });
  await machine.write(`${PROJECT}/.vscode/settings.json`, `{\n "a": }`);
  await machine.write(`${PROJECT}/.vscode/mcp.json`, { mcpServers: { x: { command: "a" } } });
  const reading = await machine.read(vscode);
  const { state, error, warnings } = report(reading, "Code/User/settings.json");
  assert.deepEqual([state, error, warnings], ["empty", null, []]);
  assert.equal(report(reading, "Code/User/profiles").state, "absent");
  assert.match(report(reading, ".vscode/settings.json").error?.message ?? "", /line 2/);
  assert.match(report(reading, ".vscode/mcp.json").error?.message ?? "", /found "mcpServers"/);
});

Deno.test("a url that is no address of the web is one problem that says what it is", async () => {
  await using machine = await TempMachine.create();
  await machine.write(`${USER}/mcp.json`, {
    servers: {
      socket: { type: "http", url: "unix:///run/server.sock" },
      pipe: { type: "http", url: "PIPE:///pipe/server" },
      old: { id: "x", name: "old", config: { type: "stdio", command: "old" } },
      events: { type: "http", transport: "sse", url: "https://h.example/sse" },
    },
  });
  const reading = await machine.read(vscode);
  const problems = (name: string): string =>
    only(reading, name).problems.map(({ message }) => message).join("; ");
  assert.match(problems("socket"), /^Cannot use "url": sockets .* not supported \([^;]*$/);
  assert.match(problems("pipe"), /^Cannot use "url": named pipes .* not supported \([^;]*$/);
  assert.equal(only(reading, "old").config.command, "old");
  assert.equal(only(reading, "events").config.type, "sse");
});

Deno.test("the user's file beside the extensions is a near miss, but in the home folder [A45]", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/.vscode/mcp.json", { servers: {} });
  const near = report(await machine.read(vscode), "home/.vscode/mcp.json");
  assert.match(near.warnings.join(), /belong in ".*\/Code\/User\/mcp\.json"/);
  const base = machine.context();
  const { reports } = await vscode.read({ ...base, workspacePath: base.machine.home });
  assert.ok(!reports.some(({ state }) => state === "near-miss"));
});

Deno.test("what is written for VS Code is read back as it was", async () => {
  const configs: Readonly<Record<string, ServerConfig>> = {
    local: {
      type: "stdio",
      command: "npx",
      args: ["x"],
      cwd: "/w",
      envFile: "/e",
      env: { A: "b" },
    },
    remote: { url: "https://h.example/mcp", headers: { A: "${env:B}" }, oauth: { clientId: "c" } },
    older: { type: "sse", url: "https://h.example/sse" },
  };
  const format = vscode.writer?.format;
  assert.ok(format !== undefined);
  const written = Object.entries(configs).map(([name, config]) => {
    const { raw, problems, warnings } = writeEntry(name, config, format);
    assert.deepEqual([problems, warnings], [[], []]);
    return [name, raw] as const;
  });
  assert.deepEqual(written.map(([, raw]) => raw["type"]), ["stdio", "http", "sse"]);
  await using machine = await TempMachine.create();
  const path = await machine.write(`${USER}/mcp.json`, { servers: Object.fromEntries(written) });
  const reading = await machine.read(vscode);
  for (const [name, config] of Object.entries(configs)) {
    assert.deepEqual(only(reading, name).config, config);
  }
  assert.equal(vscode.writer?.fileFor(machine.context(), "user")?.path, path);
  assert.equal(vscodium.writer?.fileFor(machine.context(), "project"), null);
});

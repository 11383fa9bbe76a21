import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { loadAllMCPConfigs } from "../../src/plan/discover.ts";
import { claudeCode } from "../../src/sources/claude_code.ts";
import type { SourceReading } from "../../src/sources/source.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const FOLDER = "home/.claude/plugins";
const DEMO = `${FOLDER}/cache/market/demo/1.0.0`;
const SETTINGS = "home/.claude/settings.json";
const IN_PROJECT = "home/work/project/.claude";

/** Puts the plugin `demo` on a machine; `where` is the folder that it is installed for alone. */
async function install(machine: TempMachine, where: string | null = null): Promise<string> {
  const installPath = join(machine.root, DEMO);
  const record = where === null
    ? { scope: "user", installPath, version: "1.0.0" }
    : { scope: "local", projectPath: where, installPath, version: "1.0.0" };
  await machine.write(`${FOLDER}/installed_plugins.json`, {
    version: 2,
    plugins: { "demo@market": [record] },
  });
  await machine.write(`${DEMO}/.mcp.json`, { mcpServers: { docs: { command: "docs" } } });
  return installPath;
}

/** Writes whether the plugin is on into a settings file. */
async function turn(machine: TempMachine, file: string, on: boolean): Promise<void> {
  await machine.write(file, { enabledPlugins: { "demo@market": on } });
}

/** The plan's verdicts on a machine, by the names of the servers. */
async function states(machine: TempMachine): Promise<Readonly<Record<string, string>>> {
  const { machine: facts, folders } = machine.context();
  const { plan } = await loadAllMCPConfigs({ machine: facts, folders, trust: "store" });
  return Object.fromEntries(plan.servers.map(({ name, verdict }) => [name, verdict.state]));
}

function namesAndScopes(reading: SourceReading): readonly string[] {
  return reading.definitions.map(({ name, source }) => `${name} ${source.scope}`);
}

Deno.test("a plugin's servers are read, those of the manifest in the place of the file's", async () => {
  await using machine = await TempMachine.create();
  const root = await install(machine);
  await turn(machine, SETTINGS, true);
  await machine.write(`${DEMO}/.mcp.json`, {
    mcpServers: { docs: { command: "docs" }, both: { command: "file" } },
  });
  const manifest = await machine.write(`${DEMO}/.claude-plugin/plugin.json`, {
    name: "demo",
    mcpServers: {
      both: { command: "manifest" },
      web: { type: "http", url: "https://h.example/mcp" },
    },
  });
  const reading = await machine.read(claudeCode);
  assert.deepEqual(
    reading.definitions.map(({ name, config }) => [name, config.command ?? config.url]),
    [
      ["plugin:demo:docs", "docs"],
      ["plugin:demo:both", "manifest"],
      ["plugin:demo:web", "https://h.example/mcp"],
    ],
  );
  const { source } = only(reading, "plugin:demo:both");
  assert.deepEqual([source.id, source.label, source.rank, source.scope, source.path], [
    "claude-code",
    "Claude Code plugin",
    70,
    "user",
    manifest,
  ]);
  assert.deepEqual([source.base, source.keyPath], [root, undefined]);
  assert.equal(report(reading, "plugin.json").servers, 2);
});

Deno.test("a plugin's folders and the user's values are put in everywhere", async () => {
  await using machine = await TempMachine.create();
  const root = await install(machine);
  const data = join(machine.root, FOLDER, "data", "demo-market");
  await machine.write(SETTINGS, {
    enabledPlugins: { "demo@market": true },
    pluginConfigs: { "demo@market": { options: { region: "eu" } } },
  });
  await machine.write(`${DEMO}/.claude-plugin/plugin.json`, {
    name: "demo",
    userConfig: { level: { type: "string", default: "info" }, token: { sensitive: true } },
    mcpServers: {
      run: {
        command: "${CLAUDE_PLUGIN_ROOT}/run",
        args: ["${CLAUDE_PLUGIN_DATA}/db", "${CLAUDE_PROJECT_DIR}", "${user_config.region}"],
        env: { A: "${user_config.level}", B: "${user_config.token}", C: "${HOME}" },
        cwd: "${CLAUDE_PLUGIN_ROOT}",
      },
      web: {
        type: "http",
        url: "https://h.example/${user_config.region}",
        headers: { X: "${CLAUDE_PLUGIN_ROOT}" },
      },
    },
  });
  const reading = await machine.read(claudeCode);
  assert.deepEqual(only(reading, "plugin:demo:run").config, {
    type: "stdio",
    command: `${root}/run`,
    args: [`${data}/db`, machine.workspace, "eu"],
    cwd: root,
    env: {
      CLAUDE_PLUGIN_ROOT: root,
      CLAUDE_PLUGIN_DATA: data,
      CLAUDE_PROJECT_DIR: machine.workspace,
      A: "info",
      B: "${input:token}",
      C: "${HOME}",
    },
  });
  const web = only(reading, "plugin:demo:web").config;
  assert.deepEqual([web.url, web.headers, web.env], [
    "https://h.example/eu",
    { X: root },
    undefined,
  ]);
});

Deno.test("a value that only the user can give is waited for [A19]", async () => {
  await using machine = await TempMachine.create();
  await install(machine);
  await turn(machine, SETTINGS, true);
  await machine.write(`${DEMO}/.claude-plugin/plugin.json`, {
    name: "demo",
    userConfig: { token: { type: "string", sensitive: true } },
    mcpServers: { run: { command: "a", env: { TOKEN: "${user_config.token}" } } },
  });
  assert.deepEqual(await states(machine), {
    "plugin:demo:docs": "run",
    "plugin:demo:run": "needs-input",
  });
});

Deno.test("a plugin counts where it is switched on, and for whom it was installed", async () => {
  await using machine = await TempMachine.create();
  await install(machine);
  const read = (): Promise<SourceReading> => machine.read(claudeCode);
  assert.deepEqual(namesAndScopes(await read()), []);
  await turn(machine, SETTINGS, true);
  assert.deepEqual(namesAndScopes(await read()), ["plugin:demo:docs user"]);
  await turn(machine, `${IN_PROJECT}/settings.json`, false);
  assert.deepEqual(namesAndScopes(await read()), []);
  await turn(machine, `${IN_PROJECT}/settings.local.json`, true);
  assert.deepEqual(namesAndScopes(await read()), ["plugin:demo:docs user"]);

  await install(machine, machine.workspace);
  await turn(machine, SETTINGS, false);
  assert.deepEqual(namesAndScopes(await read()), ["plugin:demo:docs local"]);
  await install(machine, join(machine.root, "elsewhere"));
  assert.deepEqual(namesAndScopes(await read()), []);
});

Deno.test("a plugin that only a repository switches on waits for an approval [H01]", async () => {
  await using machine = await TempMachine.create();
  await install(machine);
  await turn(machine, SETTINGS, false);
  for (const file of ["settings.json", "settings.local.json"]) {
    await turn(machine, `${IN_PROJECT}/${file}`, true);
    assert.deepEqual(await states(machine), { "plugin:demo:docs": "untrusted" });
  }
  const { source } = only(await machine.read(claudeCode), "plugin:demo:docs");
  assert.deepEqual([source.scope, source.environment], ["project", "safe"]);
});

Deno.test("a manifest names files of its plugin alone, in a list or not", async () => {
  await using machine = await TempMachine.create();
  await install(machine);
  await turn(machine, SETTINGS, true);
  const outside = await machine.write("outside.json", { out: { command: "out" } });
  await machine.write(`${DEMO}/servers/flat.json`, { flat: { command: "flat" } });
  if (Deno.build.os !== "windows") await symlink(outside, join(machine.root, DEMO, "link.json"));
  await machine.write(`${DEMO}/.claude-plugin/plugin.json`, {
    name: "demo",
    mcpServers: [
      "./servers/flat.json",
      "./link.json",
      "../../../../../../../outside.json",
      outside,
      "./absent.json",
      "./bundle.mcpb",
      { inline: { command: "inline" } },
    ],
  });
  const reading = await machine.read(claudeCode);
  assert.deepEqual(namesAndScopes(reading), [
    "plugin:demo:docs user",
    "plugin:demo:flat user",
    "plugin:demo:inline user",
  ]);
  const { warnings } = report(reading, "plugin.json");
  assert.equal(warnings.filter((one) => one.includes("outside of the plugin")).length, 3);
  assert.match(warnings.join(), /"\.\/absent\.json", which is not there/);
  assert.match(warnings.join(), /a bundle, which only Claude Code unpacks/);
});

Deno.test("a bad manifest or list costs only itself and is named with its line [A05] [A10]", async () => {
  await using machine = await TempMachine.create();
  await install(machine);
  await turn(machine, SETTINGS, true);
  await machine.write(`${DEMO}/.claude-plugin/plugin.json`, `{ "name": "x",\n  "mcpServers": `);
  const reading = await machine.read(claudeCode);
  assert.deepEqual(namesAndScopes(reading), ["plugin:demo:docs user"]);
  assert.match(report(reading, "plugin.json").error?.message ?? "", /line 2/);
  await machine.write(`${FOLDER}/installed_plugins.json`, "{ nonsense");
  await machine.write("home/.claude.json", { mcpServers: { own: { command: "a" } } });
  const other = await machine.read(claudeCode);
  assert.deepEqual(namesAndScopes(other), ["own user"]);
  assert.equal(report(other, "installed_plugins.json").state, "malformed");
});

Deno.test("a plugin whose folder is gone is named, and an early list is read", async () => {
  await using machine = await TempMachine.create();
  await turn(machine, SETTINGS, true);
  await machine.write(`${FOLDER}/installed_plugins.json`, {
    version: 1,
    plugins: { "demo@market": { installPath: join(machine.root, DEMO), version: "1.0.0" } },
  });
  const gone = await machine.read(claudeCode);
  assert.match(report(gone, "installed_plugins.json").warnings.join(), /"demo@market"/);
  await machine.write(`${DEMO}/.mcp.json`, { docs: { command: "docs" } });
  assert.deepEqual(namesAndScopes(await machine.read(claudeCode)), ["plugin:demo:docs user"]);
});

Deno.test("plugins move with their variables, and switch off by their full name", async () => {
  await using machine = await TempMachine.create();
  await machine.write("moved/.claude.json", {
    projects: { [machine.workspace]: { disabledMcpServers: ["plugin:demo:docs"] } },
  });
  await machine.write("moved/settings.json", { enabledPlugins: { "demo@market": true } });
  const installPath = join(machine.root, "kept", "demo");
  await machine.write("kept/demo/.mcp.json", { docs: { command: "docs" } });
  await machine.write("kept/installed_plugins.json", {
    plugins: { "demo@market": [{ scope: "user", installPath }] },
  });
  const env = {
    CLAUDE_CONFIG_DIR: join(machine.root, "moved"),
    CLAUDE_CODE_PLUGIN_CACHE_DIR: join(machine.root, "kept"),
  };
  const { config } = only(await machine.read(claudeCode, { env }), "plugin:demo:docs");
  assert.equal(config.enabled, false);
});

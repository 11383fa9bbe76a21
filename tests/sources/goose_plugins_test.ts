import assert from "node:assert/strict";
import { join } from "node:path";
import { goose } from "../../src/sources/goose.ts";
import { assertPlan } from "./golden.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const SERVERS = {
  mcpServers: {
    db: {
      command: "${PLUGIN_ROOT}/server",
      args: ["--config", "${PLUGIN_ROOT}/config.json"],
      env: { DATA: "${PLUGIN_ROOT}/data", OTHER: "${OTHER}" },
    },
  },
};

const USER = "home/.agents/plugins/tools/.mcp.json";
const PROJECT = "home/work/project/.agents/plugins/local/.mcp.json";
const SETTINGS = "home/.config/goose/config.yaml";

/** The server of a plugin whose folder is this, relative to the machine's root. */
function server(folder: string): object {
  return {
    type: "stdio",
    command: `root:${folder}/server`,
    args: ["--config", `root:${folder}/config.json`],
    env: { PLUGIN_ROOT: `root:${folder}`, DATA: `root:${folder}/data`, OTHER: "$${OTHER}" },
  };
}

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the servers of Goose's plugins are read on ${platform}`, async () => {
    await using machine = await TempMachine.create();
    await machine.write(USER, SERVERS);
    await machine.write(PROJECT, SERVERS);
    const reading = await machine.read(goose, { platform, cwd: "src" });
    const shown = reading.definitions.map(({ name, source, config, problems, warnings }) => ({
      name,
      scope: source.scope,
      editable: source.keyPath !== undefined,
      problems,
      warnings,
      config: JSON.parse(JSON.stringify(config).replaceAll(`${machine.root}/`, "root:")),
    }));
    const row = { editable: false, problems: [], warnings: [] };
    assert.deepEqual(shown, [
      {
        name: "local:db",
        scope: "project",
        ...row,
        config: server("home/work/project/.agents/plugins/local"),
      },
      { name: "tools:db", scope: "user", ...row, config: server("home/.agents/plugins/tools") },
    ]);
  });
}

Deno.test("a project's plugin needs approval as any project file", async () => {
  await assertPlan({
    platform: "linux",
    sources: [goose],
    files: { [PROJECT]: { mcpServers: { x: { command: "node", args: ["a.js"] } } } },
  }, [{
    name: "local:x",
    state: "untrusted",
    source: "goose",
    scope: "project",
    file: PROJECT,
    config: {
      type: "stdio",
      command: "node",
      args: ["a.js"],
      env: { PLUGIN_ROOT: "root:home/work/project/.agents/plugins/local" },
    },
  }]);
});

Deno.test("a plugin that is off in Goose is off here", async () => {
  const lists = [
    "home/.config/goose/settings.json",
    "home/work/project/.config/goose/settings.json",
    "home/work/project/.config/goose/settings.local.json",
  ];
  for (const list of lists) {
    await using machine = await TempMachine.create();
    await machine.write(USER, SERVERS);
    await machine.write(list, { disabledPlugins: ["tools"] });
    const reading = await machine.read(goose);
    const { config, switchedOffBy } = only(reading, "tools:db");
    assert.equal(config.enabled, false);
    assert.deepEqual(switchedOffBy, [{
      list: "disabledPlugins",
      path: join(machine.root, list),
      remedy: 'Switch the plugin "tools" on in Goose',
    }]);
    assert.equal(report(reading, list).state, "loaded");
  }
  await using machine = await TempMachine.create();
  await machine.write(USER, SERVERS);
  await machine.write("home/.agents/plugins/on/.mcp.json", SERVERS);
  const root = join(machine.home, ".agents", "plugins", "tools");
  await machine.write(SETTINGS, `plugins:\n  ${root}: { enabled: false }\n`);
  const reading = await machine.read(goose);
  assert.equal(only(reading, "tools:db").config.enabled, false);
  assert.equal(only(reading, "on:db").config.enabled, undefined);
});

Deno.test("a project does not switch on what the user switched off", async () => {
  await using machine = await TempMachine.create();
  await machine.write(USER, SERVERS);
  await machine.write("home/.config/goose/settings.json", { disabledPlugins: ["tools"] });
  await machine.write("home/work/project/.config/goose/settings.json", {
    enabledPlugins: ["tools"],
  });
  assert.equal(only(await machine.read(goose), "tools:db").config.enabled, false);
});

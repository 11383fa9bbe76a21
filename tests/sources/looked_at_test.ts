import assert from "node:assert/strict";
import { loadAllMCPConfigs } from "../../src/plan/discover.ts";
import { copilotCli } from "../../src/sources/copilot_cli.ts";
import { readSources } from "../../src/sources/read_all.ts";
import { TempMachine } from "./temp_machine.ts";

/** Folders and files beside those of servers, on Linux. */
const LOOKED_AT: readonly string[] = [
  "home/.aws/amazonq/cli-agents",
  "home/work/project/.amazonq/cli-agents",
  "home/.agents/plugins",
  "home/work/project/.agents/plugins",
  "home/.continue/mcpServers",
  "home/work/project/.continue/mcpServers",
  "home/.gemini/extensions",
  "home/.config/Code/User/profiles",
  "home/.config/Code - Insiders/User/profiles",
  "home/work/project/.devcontainer",
  "home/.config/Code/User/settings.json",
  "home/.config/Cursor/User/settings.json",
  "home/work/project/.vscode/settings.json",
  "home/.claude/.config.json",
  "home/.claude/plugins/installed_plugins.json",
  "home/.copilot/settings.json",
  "home/.deepagents/config.toml",
  "home/.gemini/mcp-server-enablement.json",
  "home/.kimi-code/config.toml",
  "home/.reasonix/mcp-activation.json",
  "home/.rovodev/config.yml",
  "home/work/project/.rovodev/config.yml",
  "home/.config/hotplug/settings.json",
];

Deno.test("every path that is looked at is listed, also where nothing stands", async () => {
  await using machine = await TempMachine.create();
  const { machine: facts, folders } = machine.context();
  const policy = { path: `${machine.root}/etc/managed.json`, ownerUid: null };
  const { plan } = await loadAllMCPConfigs({ machine: facts, folders, policy });
  const states = new Map(plan.sources.map(({ path, state }) => [path, state]));
  for (const path of [...LOOKED_AT, "etc/managed.json"]) {
    assert.equal(states.get(`${machine.root}/${path}`), "absent", path);
  }
  assert.ok(states.has("/etc/claude-code/managed-mcp.json"));
  assert.ok(plan.sources.every(({ error, warnings }) => error === null && warnings.length === 0));
});

Deno.test("a folder is listed as it is: absent, empty or with something in it", async () => {
  await using machine = await TempMachine.create();
  const states = async (): Promise<readonly (string | undefined)[]> => {
    const { reports } = await readSources(machine.context());
    return [".continue/mcpServers", ".agents/plugins", ".gemini/extensions"].map((path) =>
      reports.find((one) => one.path === `${machine.home}/${path}`)?.state
    );
  };
  assert.deepEqual(await states(), ["absent", "absent", "absent"]);
  await machine.write("home/.continue/mcpServers/notes.txt", "x");
  await Deno.mkdir(`${machine.home}/.agents/plugins`, { recursive: true });
  // A file in the place of a folder is no folder.
  await machine.write("home/.gemini/extensions", "x");
  assert.deepEqual(await states(), ["loaded", "empty", "absent"]);
});

Deno.test("a file of switches that cannot be read is told, not passed over", async () => {
  await using machine = await TempMachine.create();
  const path = await machine.write("home/.copilot/settings.json", "{}");
  await Deno.remove(path);
  await Deno.mkdir(path);
  const { reports } = await machine.read(copilotCli);
  const own = reports.find((report) => report.path === path);
  assert.equal(own?.state, "unreadable");
  assert.notEqual(own?.error, null);
});

Deno.test("settings of Hotplug's that cannot be parsed say what counts until then", async () => {
  await using machine = await TempMachine.create();
  const path = await machine.write("home/.config/hotplug/settings.json", "{");
  const { machine: facts, folders } = machine.context();
  const { plan } = await loadAllMCPConfigs({ machine: facts, folders });
  const own = plan.sources.find((report) => report.path === path);
  assert.equal(own?.state, "malformed");
  assert.equal(own?.error?.hint, "Correct the file; until then what it switches off is on");
});

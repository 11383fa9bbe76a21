import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { loadAllMCPConfigs } from "../../src/plan/discover.ts";
import { switchServer } from "../../src/edit/switch_server.ts";
import { type EditPlace, inEditPlace } from "./made.ts";

/** A file of servers in which `x` is on unless it says otherwise. */
function servers(x: object = {}): object {
  return { mcpServers: { x: { command: "a", ...x }, y: { command: "b" } } };
}

/** The verdict and the reason of `x`, as `mcp status` shows them. */
async function shown({ given }: EditPlace): Promise<readonly [string, string, string]> {
  const { plan } = await loadAllMCPConfigs(given);
  const verdict = plan.servers.find(({ name }) => name === "x")?.verdict;
  const reason = verdict?.state === "run" || verdict === undefined ? null : verdict.reason;
  return [verdict?.state ?? "none", reason?.message ?? "", reason?.hint ?? ""];
}

/** Hosts whose list stands in another file, with that file before and after `x` is off. */
const HOSTS: readonly {
  readonly label: string;
  readonly file: string;
  readonly list: string;
  readonly name: string;
  readonly before: string;
  readonly off: string;
}[] = [
  {
    label: "Copilot CLI",
    file: "home/.copilot/mcp-config.json",
    list: "home/.copilot/settings.json",
    name: "disabledMcpServers",
    before: '{\n  // mine\n  "disabledMcpServers": ["z"]\n}\n',
    off: '{\n  // mine\n  "disabledMcpServers": ["z", "x"]\n}\n',
  },
  {
    label: "Rovo Dev",
    file: "home/.rovodev/mcp.json",
    list: "home/.rovodev/config.yml",
    name: "mcp.disabledMcpServers",
    before: "# mine\nmcp:\n  disabledMcpServers:\n    - z\n",
    off: "# mine\nmcp:\n  disabledMcpServers:\n    - z\n    - x\n",
  },
];

for (const { label, file, list, name, before, off } of HOSTS) {
  Deno.test(`in place, ${label} switches by the list in its settings, off and on again`, async () => {
    await inEditPlace(async (place) => {
      const { given, path, text, write } = place;
      await write(file, servers());
      await write(list, before);
      const entries = await text(file);
      const done = await switchServer("x", false, { ...given, inPlace: true });
      assert.deepEqual([done.servers[0]?.done, done.servers[0]?.path], ["disabled", path(list)]);
      assert.equal(await text(list), off);
      assert.deepEqual(await shown(place), [
        "disabled",
        `Switched off by "${name}" of "${path(list)}"`,
        "To switch it on in that file: mcp enable --in-place x",
      ]);
      const on = await switchServer("x", true, { ...given, inPlace: true });
      assert.deepEqual([on.servers[0]?.done, on.effective[0]?.state], ["enabled", "run"]);
      assert.equal(await text(list), before);
      assert.equal(await text(file), entries);
    });
  });
}

Deno.test("a list of settings that are not there yet is made, and for a dry run is not", async () => {
  await inEditPlace(async ({ given, path, text, write }) => {
    const list = "home/.deepagents/config.toml";
    await write("home/.deepagents/.mcp.json", servers());
    await switchServer("x", false, { ...given, inPlace: true, dryRun: true });
    await assert.rejects(stat(path(list)), { code: "ENOENT" });
    const { effective } = await switchServer("x", false, { ...given, inPlace: true });
    assert.equal(effective[0]?.state, "disabled");
    assert.match(await text(list), /disabled_servers = \[ ?"x" ?\]/);
  });
});

Deno.test("a project's server that the user's list switches off is taken out of the user's list", async () => {
  await inEditPlace(async (place) => {
    const { given, text, write } = place;
    const user = "home/.omp/agent/mcp.json";
    const project = await write("home/work/project/.omp/mcp.json", servers());
    await write(user, '{ "mcpServers": {}, "disabledServers": ["x", "z"] }\n');
    assert.match((await shown(place))[2], /mcp enable --in-place x$/);
    const all = { ...given, trust: "all" } as const;
    const { effective } = await switchServer("x", true, { ...all, inPlace: true });
    assert.deepEqual([effective[0]?.state, effective[0]?.source?.path], ["run", project]);
    assert.equal(await text(user), '{ "mcpServers": {}, "disabledServers": ["z"] }\n');
  });
});

Deno.test("what is off by its own key and by lists, too, is on after one command", async () => {
  await inEditPlace(async ({ given, text, write }) => {
    const grok = "home/.grok/config.toml";
    const toml = (x: string, list: string): string =>
      `disabled_mcp_servers = [${list}]\n\n[mcp_servers.x]\ncommand = "a"\n${x}`;
    await write(grok, toml("enabled = false\n", '"x", "z", "x"'));
    const { servers: [row], effective } = await switchServer("x", true, {
      ...given,
      inPlace: true,
    });
    assert.deepEqual([row?.done, effective[0]?.state], ["enabled", "run"]);
    assert.equal(await text(grok), toml("", '"z"'));
  });
});

Deno.test("Gemini CLI's file of switches and its list in another case are both undone", async () => {
  await inEditPlace(async ({ given, text, write }) => {
    const settings = "home/.gemini/settings.json";
    const enablement = "home/.gemini/mcp-server-enablement.json";
    await write(
      settings,
      '{ "mcp": { "excluded": ["X"] }, "mcpServers": { "x": { "command": "a" } } }\n',
    );
    await write(enablement, '{ "x": { "enabled": false }, "z": { "enabled": false } }\n');
    const { files, effective } = await switchServer("x", true, { ...given, inPlace: true });
    assert.deepEqual([files.length, effective[0]?.state], [2, "run"]);
    assert.deepEqual(JSON.parse(await text(settings)).mcp, { excluded: [] });
    assert.deepEqual(JSON.parse(await text(enablement)), { z: { enabled: false } });
  });
});

Deno.test("an entry that another one switches off is on after that one is", async () => {
  await inEditPlace(async ({ given, text, write }) => {
    const user = "home/.config/opencode/opencode.json";
    const entry = { type: "local", command: ["a"] };
    await write(user, { mcp: { x: { ...entry, enabled: false } } });
    await write("home/.config/opencode/opencode.jsonc", { mcp: { x: entry } });
    const { effective } = await switchServer("x", true, { ...given, inPlace: true });
    assert.equal(effective[0]?.state, "run");
    assert.deepEqual(JSON.parse(await text(user)).mcp.x, entry);
  });
});

Deno.test("a host's own word for being off is taken away", async () => {
  await inEditPlace(async ({ given, text, write }) => {
    const file = "home/.reasonix/config.toml";
    const entry = '[[plugins]]\nname = "x"\ncommand = "a"\n';
    await write(file, `${entry}auto_start = false\n`);
    const { effective } = await switchServer("x", true, { ...given, inPlace: true });
    assert.equal(effective[0]?.state, "run");
    assert.equal(await text(file), entry);
  });
});

Deno.test("what no edit undoes is refused before anything is written, with what to do by hand", async () => {
  await inEditPlace(async (place) => {
    const { given, path, text, write } = place;
    const qwen = "home/.qwen/settings.json";
    await write(qwen, { mcp: { excluded: ["x*", "z"] }, mcpServers: { x: { command: "a" } } });
    const before = await text(qwen);
    const remedy = `Take "x*" out of "mcp.excluded" in "${path(qwen)}"`;
    assert.deepEqual(await shown(place), [
      "disabled",
      `Switched off by "mcp.excluded" of "${path(qwen)}"`,
      remedy,
    ]);
    const { servers: [row], files } = await switchServer("x", true, { ...given, inPlace: true });
    assert.deepEqual([row?.done, row?.error?.hint, files], ["refused", remedy, []]);
    assert.equal(await text(qwen), before);
    await assert.rejects(switchServer("x", true, given), { code: "edit-refused", hint: remedy });
  });
});

Deno.test("a server that is off names nothing twice: the reason stands alone, without a warning", async () => {
  await inEditPlace(async ({ given, write }) => {
    await write("home/.copilot/mcp-config.json", servers());
    await write("home/.copilot/settings.json", { disabledMcpServers: ["x"] });
    const { plan } = await loadAllMCPConfigs(given);
    const row = plan.servers.find(({ name }) => name === "x");
    assert.deepEqual([row?.verdict.state, row?.warnings], ["disabled", []]);
  });
});

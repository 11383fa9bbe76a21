import assert from "node:assert/strict";
import type { Machine } from "../../src/model/machine.ts";
import { avelinoMcp } from "../../src/sources/avelino_mcp.ts";
import { claudeDesktop } from "../../src/sources/claude_desktop.ts";
import { codex } from "../../src/sources/codex.ts";
import { continueDev } from "../../src/sources/continue_dev.ts";
import { geminiCli } from "../../src/sources/gemini_cli.ts";
import { goose } from "../../src/sources/goose.ts";
import { mcpJson } from "../../src/sources/mcp_json.ts";
import { nearMisses } from "../../src/sources/near_miss.ts";
import { opencode } from "../../src/sources/opencode.ts";
import type { Source } from "../../src/sources/source.ts";
import { vscode } from "../../src/sources/vscode.ts";
import { windsurf } from "../../src/sources/windsurf.ts";
import { zed } from "../../src/sources/zed.ts";
import { report, TempMachine } from "./temp_machine.ts";

const SERVERS = '{ "mcpServers": { "x": { "command": "a" } } }';
const APPLICATIONS = "home/Library/Application Support";

/** What people write, where, and what of the hint says where it belongs. */
const MISSES: readonly {
  readonly source: Source;
  readonly path: string;
  readonly belongs: string;
  readonly text?: string;
  readonly platform?: Machine["platform"];
}[] = [
  { source: vscode, path: "home/work/project/.vscode/mcp.jsonc", belongs: ".vscode/mcp.json" },
  { source: geminiCli, path: "home/.gemini/mcp.json", belongs: ".gemini/settings.json" },
  {
    source: geminiCli,
    path: "home/work/project/.gemini/mcp.json",
    belongs: ".gemini/settings.json",
  },
  {
    source: claudeDesktop,
    path: "home/.config/Claude/settings.json",
    belongs: "Claude/claude_desktop_config.json",
  },
  {
    source: claudeDesktop,
    path: `${APPLICATIONS}/Claude/settings.json`,
    belongs: "Claude/claude_desktop_config.json",
    platform: "darwin",
  },
  {
    source: claudeDesktop,
    path: "home/AppData/Roaming/Claude/settings.json",
    belongs: "Claude/claude_desktop_config.json",
    platform: "win32",
  },
  {
    source: windsurf,
    path: "home/.windsurf/mcp_config.json",
    belongs: ".codeium/windsurf/mcp_config.json",
  },
  { source: zed, path: "home/work/project/.zed/mcp.json", belongs: ".zed/settings.json" },
  {
    source: goose,
    path: "home/.config/goose/config.yml",
    belongs: "goose/config.yaml",
    text: "# mine\nextensions:\n  x:\n    cmd: a\n",
  },
  {
    source: opencode,
    path: "home/.config/opencode/mcp.json",
    belongs: "opencode/opencode.json",
    text: '{ "mcp": { "x": { "command": ["a"] } } }',
  },
  { source: opencode, path: "home/work/project/.opencode/mcp.json", belongs: "opencode.json" },
  { source: mcpJson, path: "home/.mcp.json", belongs: "hotplug/mcp.json" },
  {
    source: continueDev,
    path: "home/.continue/mcp.json",
    belongs: ".continue/mcpServers/mcp.json",
  },
  { source: codex, path: "home/.codex/config.json", belongs: ".codex/config.toml" },
];

for (const { source, path, belongs, text = SERVERS, platform = "linux" } of MISSES) {
  Deno.test(`servers in ${path} are told with where they belong on ${platform} [A45]`, async () => {
    await using machine = await TempMachine.create();
    const full = await machine.write(path, text);
    const near = report(await machine.read(source, { platform }), path);
    assert.equal(near.state, "near-miss");
    const [warning = ""] = near.warnings;
    assert.ok(warning.startsWith(`Servers in "${full}" are not read; they belong in "`), warning);
    assert.ok(warning.endsWith(`${belongs}"`), warning);
    await machine.write(path, path.endsWith(".yml") ? "theme: dark\n" : '{ "theme": "dark" }');
    const { reports } = await machine.read(source, { platform });
    assert.ok(reports.every(({ state }) => state !== "near-miss"), "it holds no servers");
  });
}

Deno.test("a .mcp.json of the home folder is no miss where it is read [A45]", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/.mcp.json", SERVERS);
  const states = async (options: object): Promise<readonly string[]> =>
    (await machine.read(mcpJson, options)).reports.map(({ state }) => state);
  assert.ok(!(await states({ platform: "win32" })).includes("near-miss"));
  const home = { ...machine.context(), workspacePath: machine.home };
  const inHome = await mcpJson.read({ ...home, machine: { ...home.machine, cwd: machine.home } });
  assert.ok(inHome.reports.every(({ state }) => state !== "near-miss"));
  assert.equal(inHome.definitions.length, 1);
});

Deno.test("keys of servers are known in TOML and YAML too, and nothing that looks like them", async () => {
  await using machine = await TempMachine.create();
  const texts: readonly (readonly [name: string, text: string, isMiss: boolean])[] = [
    ["a.toml", '[mcp_servers.x]\ncommand = "a"\n', true],
    ["b.toml", '[[ mcp_servers ]]\nname = "x"\n', true],
    ["c.toml", 'mcpServers = { x = { command = "a" } }\n', true],
    ["d.toml", '# [mcp_servers.x]\ntitle = "servers"\n[server]\n', false],
    ["a.yaml", "mcpServers:\n  - name: x\n", true],
    ["b.yml", '"servers" :\n  x: {}\n', true],
    ["c.yaml", "# servers:\nwaiters:\n  servers: none\n", false],
    ["a.json", '{ "servers" : {} }', true],
    ["b.json", '{ "say": "servers" }', false],
  ];
  for (const [name, text, isMiss] of texts) {
    const path = await machine.write(name, text);
    const miss = { path, scope: "user", belongs: "elsewhere" } as const;
    const found = await nearMisses(machine.context(), { id: "x", label: "X" }, [miss]);
    assert.equal(found.length, isMiss ? 1 : 0, name);
  }
});

Deno.test("servers in a variable are told under its name, and no value is shown", async () => {
  await using machine = await TempMachine.create();
  for (
    const { source, variable, text } of [
      {
        source: opencode,
        variable: "OPENCODE_CONFIG_CONTENT",
        text: '{ "mcp": { "x": { "url": "https://h.example/?key=hush" } } }',
      },
      { source: avelinoMcp, variable: "MCP_SERVERS_CONFIG", text: SERVERS },
    ]
  ) {
    const told = async (value: string): Promise<readonly unknown[]> => {
      const { reports } = await machine.read(source, { env: { [variable]: value } });
      return reports.filter(({ path }) => path === variable)
        .map(({ state, warnings }) => [state, warnings.join()]);
    };
    const [row] = await told(text);
    assert.match(JSON.stringify(row), /near-miss.*are not read; they belong in/);
    assert.doesNotMatch(JSON.stringify(row), /hush/);
    assert.deepEqual(await told('{ "theme": "dark" }'), []);
    assert.deepEqual(await told(""), []);
  }
  const { reports } = await machine.read(opencode);
  assert.ok(reports.every(({ path }) => path.startsWith("/")));
});

import assert from "node:assert/strict";
import { doubledHooks, doubledServers, furtherGateways } from "../../src/hosts/doubled_servers.ts";
import type { HookFinding } from "../../src/hosts/host_kind.ts";
import type { PlannedServer } from "../../src/model/plan.ts";
import type { HookState } from "../../src/hosts/inspect_hook.ts";
import { hostProfile } from "../../src/hosts/profiles.ts";
import { readWorkspace } from "../../src/edit/workspace.ts";
import { type HookPlace, inHookPlace, VERSION } from "./hook_place.ts";

/** Findings as one line each. */
function lines(findings: readonly HookFinding[]): readonly string[] {
  return findings.map(({ check, severity, message }) => `${severity} ${check}: ${message}`);
}

Deno.test("a hook that is there and right is ready in hosts that refresh at once", async () => {
  await inHookPlace(async ({ install, examine }) => {
    for (const kind of ["opencode", "pi", "omp", "zed"]) {
      await install(kind);
      assert.deepEqual(await examine(kind), [], kind);
    }
    await install("vscode", { scope: "project" });
    assert.deepEqual(await examine("vscode", { scope: "project" }), []);
  });
});

Deno.test("the doctor tells of a hook that is not there, of another version, or changed", async () => {
  await inHookPlace(async ({ install, examine, write, text }) => {
    const [absent] = await examine("pi");
    assert.deepEqual([absent?.severity, absent?.remedy], ["error", "Run: mcp hooks install pi"]);
    await install("pi", { version: "1.0.0" });
    assert.deepEqual(lines(await examine("pi")), [
      `warning hook-version: The hook is of version 1.0.0, Hotplug of ${VERSION}`,
    ]);
    await install("pi");
    const file = "home/.pi/agent/extensions/hotplug.js";
    await write(file, `${await text(file)}\n`);
    const [changed] = await examine("pi");
    assert.match(changed?.message ?? "", /was changed since it was written/);
    assert.match(changed?.remedy ?? "", /mcp hooks install pi --force/);
    const dead = await examine("pi", { answer: { version: null, problem: "it is gone" } });
    assert.equal(dead.at(-1)?.remedy, "Run: mcp hooks install pi --force");
    await write("home/.cursor/mcp.json", "{");
    assert.match(lines(await examine("cursor")).join(), /error hook-file: Cannot parse/);
  });
});

Deno.test("the doctor tells of a program that is gone, is another one, or of another version", async () => {
  await inHookPlace(async ({ install, examine }) => {
    await install("zed");
    const gone = await examine("zed", { answer: { version: null, problem: "it is gone" } });
    assert.deepEqual(lines(gone), [
      "error program: The program of the hook cannot be used: it is gone",
    ]);
    const other = await examine("zed", { answer: { version: "0.9.0", problem: null } });
    assert.deepEqual(lines(other), [
      `info program: The hook starts Hotplug 0.9.0, and this is ${VERSION}`,
    ]);
  });
});

Deno.test("the doctor says plainly which hosts do not take other tools, and what to do", async () => {
  await inHookPlace(async ({ install, examine }) => {
    for (const kind of ["cline", "continue", "qwen", "cursor", "windsurf", "goose"]) {
      await install(kind);
      const findings = await examine(kind);
      const refresh = findings.filter(({ check }) => check === "refresh");
      assert.equal(refresh.length, 1, kind);
      assert.match(refresh[0]?.message ?? "", /keeps the tools of its start/);
      assert.notEqual(refresh[0]?.remedy, "");
    }
    await install("copilot");
    assert.match(lines(await examine("copilot")).join(), /^info refresh: .* its next request$/);
  });
});

/** A host's own settings that keep the hook away. */
interface SwitchCase {
  readonly kind: string;
  readonly scope?: "project";
  /** Path below the temp folder. */
  readonly file: string;
  /** What is written, or changed in what the hook wrote. */
  readonly text: string | ((hook: string) => string);
  readonly finding: RegExp;
}

const SWITCHES: readonly SwitchCase[] = [
  {
    kind: "gemini",
    file: "home/.gemini/settings.json",
    text: '{ "mcp": { "excluded": ["Hotplug"] } }',
    finding: /error host-switch: The entry is switched off for Gemini CLI by "mcp\.excluded"/,
  },
  {
    kind: "gemini",
    file: "home/.gemini/settings.json",
    text: '{ "mcp": { "allowed": ["other"] } }',
    finding: /error host-switch: .* by "mcp\.allowed"/,
  },
  {
    kind: "gemini",
    file: "home/.gemini/mcp-server-enablement.json",
    text: '{ "hotplug": { "enabled": false } }',
    finding: /error host-switch/,
  },
  {
    kind: "gemini",
    file: "home/.gemini/extensions/extension-enablement.json",
    text: '{ "hotplug": { "overrides": ["!/*"] } }',
    finding: /error host-switch/,
  },
  {
    kind: "claude-code",
    file: "home/.claude/settings.json",
    text: '{ "enabledPlugins": { "hotplug@skills-dir": false } }',
    finding: /error host-switch: The plugin is switched off/,
  },
  {
    kind: "codex",
    file: "home/.codex/config.toml",
    text: (hook) => hook.replace("args = ", "enabled = false\nargs = "),
    finding: /error host-switch: The entry is switched off for Codex/,
  },
  {
    kind: "codex",
    file: "home/.codex/config.toml",
    text: (hook) => hook.replace("mcp_tool_list_changed = true", "mcp_tool_list_changed = false"),
    finding: /warning codex-flag: .*"features\.mcp_tool_list_changed" is not on/,
  },
  {
    kind: "codex",
    scope: "project",
    file: "home/.codex/config.toml",
    text: "",
    finding: /error host-trust/,
  },
  {
    kind: "copilot",
    file: "home/.copilot/settings.json",
    text: '{ "disabledMcpServers": ["hotplug"] }',
    finding: /error host-switch: .* by "disabledMcpServers"/,
  },
  {
    kind: "copilot",
    scope: "project",
    file: "project/.mcp.json",
    text: "{}",
    finding: /error host-file: .*does not read "\.github\/mcp\.json"/,
  },
  {
    kind: "qwen",
    file: "home/.qwen/settings.json",
    text: (hook) => hook.replace(/,\s*"alwaysLoadTools": true/, ""),
    finding: /warning host-search/,
  },
  {
    kind: "qwen",
    file: "home/.qwen/settings.json",
    text: (hook) => hook.replace("{", '{ "mcp": { "excluded": ["hot*"] },'),
    finding: /error host-switch: .* by "mcp\.excluded"/,
  },
  {
    kind: "windsurf",
    file: "home/.codeium/windsurf/mcp_config.json",
    text: (hook) => hook.replace('"command"', '"disabled": true, "command"'),
    finding: /error host-switch: The entry is switched off for Windsurf/,
  },
  {
    kind: "pi",
    file: "home/.pi/agent/settings.json",
    text: '{ "extensions": ["-extensions/hotplug.js"] }',
    finding: /error host-switch/,
  },
  {
    kind: "pi",
    scope: "project",
    file: "home/.pi/agent/trust.json",
    text: "{}",
    finding: /warning host-trust/,
  },
  {
    kind: "vscode",
    file: "home/.config/Code/User/settings.json",
    text: '{ // mine\n "chat.mcp.access": "none" }',
    finding: /error host-switch: VS Code starts no MCP servers/,
  },
  {
    kind: "opencode",
    file: "home/.config/opencode/opencode.jsonc",
    text: (hook) => hook.replace('"enabled": true', '"enabled": false'),
    finding: /error host-switch: The entry is switched off for opencode/,
  },
  {
    kind: "opencode",
    file: "project/opencode.json",
    text: '{ "mcp": { "hotplug": { "enabled": false } } }',
    finding: /error host-switch: The entry is switched off for opencode/,
  },
  {
    kind: "omp",
    file: "home/.omp/agent/config.yml",
    text: "disabledExtensions:\n  - extension-module:hotplug\n",
    finding: /error host-switch/,
  },
];

for (const { kind, scope, file, text, finding } of SWITCHES) {
  Deno.test(`the doctor finds ${finding.source} for ${kind} in ${file}`, async () => {
    await inHookPlace(async (place) => {
      const words = scope === undefined ? {} : { scope };
      await place.install(kind, words);
      const before = lines(await place.examine(kind, words)).filter((line) => finding.test(line));
      await place.write(file, typeof text === "string" ? text : text(await place.text(file)));
      const after = lines(await place.examine(kind, words));
      assert.ok(after.some((line) => finding.test(line)), after.join("\n"));
      // Trust is what is missing from the start.
      if (!finding.source.includes("trust")) assert.deepEqual(before, []);
    });
  });
}

Deno.test("a trusted folder is no finding, an untrusted one is [host-trust]", async () => {
  await inHookPlace(async ({ install, examine, write, project }) => {
    await install("gemini");
    assert.match(lines(await examine("gemini")).join(), /warning host-trust: .*starts no servers/);
    await write("home/.gemini/trustedFolders.json", { [project]: "TRUST_FOLDER" });
    assert.deepEqual(await examine("gemini"), []);
    await write("home/.gemini/trustedFolders.json", { [project]: "DO_NOT_TRUST" });
    assert.equal((await examine("gemini")).length, 1);
    await write("home/.gemini/trustedFolders.json", { [`${project}/../x`]: "TRUST_FOLDER" });
    assert.equal((await examine("gemini")).length, 1);
    await write("home/.gemini/settings.json", {
      security: { folderTrust: { enabled: false } },
    });
    assert.deepEqual(await examine("gemini"), []);
    await install("pi", { scope: "project" });
    await write("home/.pi/agent/trust.json", { [project]: true });
    assert.deepEqual(await examine("pi", { scope: "project" }), []);
  });
});

Deno.test("the variables that switch opencode's entry off are told of", async () => {
  await inHookPlace(async ({ install, examine, write, home }) => {
    const project = { scope: "project" } as const;
    await install("opencode");
    await install("opencode", project);
    const noProject = { OPENCODE_DISABLE_PROJECT_CONFIG: "1" };
    assert.deepEqual(await examine("opencode", { env: noProject }), []);
    assert.match(
      lines(await examine("opencode", { ...project, env: noProject })).join(),
      /^error host-switch: OPENCODE_DISABLE_PROJECT_CONFIG is set/,
    );
    const inline = { OPENCODE_CONFIG_CONTENT: '{ "mcp": { "hotplug": { "enabled": false } } }' };
    assert.match(
      lines(await examine("opencode", { env: inline })).join(),
      /^error host-switch: OPENCODE_CONFIG_CONTENT switches the entry off/,
    );
    const mine = { OPENCODE_CONFIG: `${home}/mine.json`, OPENCODE_CONFIG_CONTENT: "{" };
    assert.deepEqual(await examine("opencode", { env: mine }), []);
    await write(mine.OPENCODE_CONFIG, { tools: { "hotplug*": false } });
    assert.match(
      lines(await examine("opencode", { env: mine })).join(),
      /^error host-switch: The tools of the entry are switched off by "tools"/,
    );
  });
});

Deno.test("an entry of opencode's that a file above it switches off is told of", async () => {
  await inHookPlace(async ({ install, examine, write, home }) => {
    await install("opencode");
    const env = { OPENCODE_CONFIG: `${home}/mine.json` };
    await write(env.OPENCODE_CONFIG, { mcp: { hotplug: { enabled: false } } });
    assert.match(
      lines(await examine("opencode", { env })).join(),
      /^error host-switch: The entry is switched off for opencode/,
    );
    assert.deepEqual(await examine("opencode"), []);
  });
});

Deno.test("the doctor says which models of Claude Code search for a tool that is added later", async () => {
  await inHookPlace(async ({ install, examine, write }) => {
    await install("claude-code");
    assert.match(
      lines(await examine("claude-code")).join(),
      /^info host-search: Models up to 4\.6 find a tool that is added later by its tool search/,
    );
    await write("home/.claude/settings.json", { env: { ENABLE_TOOL_SEARCH: "true" } });
    assert.equal((await examine("claude-code")).length, 1);
    await write("home/.claude/settings.json", { env: { ENABLE_TOOL_SEARCH: "false" } });
    assert.deepEqual(await examine("claude-code"), []);
  });
});

Deno.test("the doctor says which editors start the user's entry outside of projects", async () => {
  await inHookPlace(async ({ install, examine }) => {
    for (const kind of ["vscode", "vscode-insiders", "vscodium", "cursor"]) {
      await install(kind);
      const found = (await examine(kind)).filter(({ check }) => check === "host-folder");
      assert.deepEqual(found.map(({ severity }) => severity), ["info"], kind);
      assert.match(found[0]?.remedy ?? "", /: mcp hooks install (?:vscode|cursor) --project$/);
    }
    await install("cursor", { scope: "project" });
    const found = await examine("cursor", { scope: "project" });
    assert.deepEqual(found.filter(({ check }) => check === "host-folder"), []);
  });
});

Deno.test("a host that loads the script of the user and that of the project is told of", async () => {
  await inHookPlace(async ({ install, inspect }) => {
    const pi = hostProfile("pi");
    assert.ok(pi !== null);
    await install("pi");
    const states = async (): Promise<readonly HookState[]> =>
      await Promise.all((["user", "project"] as const).map((scope) => inspect("pi", scope)));
    assert.deepEqual(doubledHooks(pi, await states()), []);
    await install("pi", { scope: "project" });
    assert.match(doubledHooks(pi, await states())[0]?.message ?? "", /loads Hotplug twice/);
  });
});

Deno.test("of one entry for the user and one for the project only VS Code makes two", async () => {
  await inHookPlace(async ({ install, inspect }) => {
    for (const [kind, count] of [["vscode", 1], ["cursor", 0], ["codex", 0]] as const) {
      await install(kind);
      await install(kind, { scope: "project" });
      const states = [await inspect(kind), await inspect(kind, "project")];
      const profile = hostProfile(kind);
      assert.ok(profile !== null);
      assert.equal(doubledHooks(profile, states).length, count, kind);
    }
  });
});

/** What the plan holds here. */
async function planned({ context }: HookPlace): ReturnType<typeof readWorkspace> {
  const { machine, folders } = context;
  return await readWorkspace({ machine, folders });
}

/** What the plan holds here for somebody who trusts everything. */
async function trusted({ context }: HookPlace): Promise<readonly PlannedServer[]> {
  const { machine, folders } = context;
  return (await readWorkspace({ machine, folders, trust: "all" })).rows;
}

Deno.test("a server that the host starts itself and gets from Hotplug too is told of", async () => {
  await inHookPlace(async (place) => {
    const { install, write, config, project } = place;
    const cursor = hostProfile("cursor");
    assert.ok(cursor !== null);
    await install("cursor");
    await write("home/.cursor/mcp.json", {
      mcpServers: { shared: { command: "a" }, alone: { command: "b" }, off: { command: "c" } },
    });
    await write(`${config}/mcp.json`, { mcpServers: { shared: { command: "d" } } });
    await write(`${project}/.hotplug/workspace.json`, { enabledMcpServers: ["shared"] });
    const { rows, definitions } = await planned(place);
    // Enabled by a file of the repository alone it does not run, and is nobody's double.
    assert.deepEqual(doubledServers(cursor, rows, definitions), []);
    const running = rows.map((row) =>
      row.name === "shared"
        ? {
          ...row,
          verdict: { state: "run" } as const,
          definition: definitions.find(({ name, source }) =>
            name === "shared" && source.id === "store"
          ) ?? null,
        }
        : row
    );
    const found = doubledServers(cursor, running, definitions);
    assert.equal(found.length, 1);
    assert.match(
      found[0]?.message ?? "",
      /^Cursor may start "shared" itself, and gets that of .+ too$/,
    );
    assert.match(found[0]?.remedy ?? "", /^Take it out of Cursor's own file$/);
    const [hidden] = doubledServers(cursor, await trusted(place), definitions);
    assert.equal(hidden?.severity, "info");
    assert.match(hidden?.message ?? "", /^Cursor starts "shared" itself; that of .+ is left out/);
  });
});

Deno.test("a second entry that starts Hotplug for the host is told of", async () => {
  await inHookPlace(async (place) => {
    const cursor = hostProfile("cursor");
    assert.ok(cursor !== null);
    await place.install("cursor");
    const { paths } = await place.inspect("cursor");
    assert.deepEqual(furtherGateways(cursor, (await planned(place)).definitions, paths), []);
    await place.write("project/.cursor/mcp.json", {
      mcpServers: { mine: { command: "mcp", args: ["serve", "--for", "cursor"] } },
    });
    const found = furtherGateways(cursor, (await planned(place)).definitions, paths);
    assert.match(found[0]?.message ?? "", /once more, by its entry "mine"/);
  });
});

import assert from "node:assert/strict";
import { dirname } from "node:path";
import { KNOWN_HOSTS } from "../../src/hosts/registry.ts";
import { HOST_PROFILES } from "../../src/hosts/profiles.ts";
import { inHookPlace, PROGRAM } from "./hook_place.ts";

/** What a host's file holds before and with the hook. */
interface FileCase {
  readonly kind: string;
  readonly scope?: "project";
  /** Path below the temp folder. */
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

const [COMMAND] = PROGRAM;
/** The arguments as JSON on one line. */
const args = (kind: string): string => `["serve", "--for", "${kind}"]`;

const CASES: readonly FileCase[] = [
  {
    kind: "codex",
    file: "home/.codex/config.toml",
    before: `# mine
model = "gpt-5" # the best

[features]
web = true

[mcp_servers.kept]
command = "kept"
env = { "A.B" = "x" }
`,
    after: `# mine
model = "gpt-5" # the best
suppress_unstable_features_warning = true

[features]
web = true
mcp_tool_list_changed = true

[mcp_servers.kept]
command = "kept"
env = { "A.B" = "x" }

[mcp_servers.hotplug]
command = "${COMMAND}"
args = ${args("codex")}
`,
  },
  {
    kind: "codex",
    scope: "project",
    file: "project/.codex/config.toml",
    before: "[features]\nmcp_tool_list_changed = true\n",
    after: `suppress_unstable_features_warning = true

[features]
mcp_tool_list_changed = true

[mcp_servers.hotplug]
command = "${COMMAND}"
args = ${args("codex")}
`,
  },
  {
    kind: "cursor",
    file: "home/.cursor/mcp.json",
    before: `{
\t// by hand
\t"mcpServers": {
\t\t"kept": { "command": "kept" }, // last
\t},
\t"other": 1
}`,
    after: `{
\t// by hand
\t"mcpServers": {
\t\t"kept": { "command": "kept" }, // last
\t\t"hotplug": {
\t\t\t"command": "${COMMAND}",
\t\t\t"args": ${args("cursor")}
\t\t},
\t},
\t"other": 1
}`,
  },
  {
    kind: "vscode",
    scope: "project",
    file: "project/.vscode/mcp.json",
    before: `{\r\n  "inputs": [],\r\n  "servers": {}\r\n}\r\n`,
    after: `{\r
  "inputs": [],\r
  "servers": {\r
    "hotplug": {\r
      "type": "stdio",\r
      "command": "${COMMAND}",\r
      "args": ${args("vscode")}\r
    }\r
  }\r
}\r
`,
  },
  {
    kind: "opencode",
    file: "home/.config/opencode/opencode.json",
    before: `{
  "$schema": "https://opencode.ai/config.json",
  // by hand
  "mcp": {
    "kept": { "type": "local", "command": ["kept"] }, // last
  },
}
`,
    after: `{
  "$schema": "https://opencode.ai/config.json",
  // by hand
  "mcp": {
    "kept": { "type": "local", "command": ["kept"] }, // last
    "hotplug": {
      "type": "local",
      "command": ["${COMMAND}", "serve", "--for", "opencode"],
      "enabled": true
    },
  },
}
`,
  },
  {
    kind: "opencode",
    scope: "project",
    file: "project/opencode.jsonc",
    before: `{ "theme": "system" }`,
    after: `{ "theme": "system", "mcp": { "hotplug": { "type": "local", "command": ` +
      `["${COMMAND}", "serve", "--for", "opencode"], "enabled": true } } }`,
  },
  {
    kind: "qwen",
    file: "home/.qwen/settings.json",
    before: `{
  "$version": 4, /* theirs */
  "mcp": { "excluded": ["other"] }
}
`,
    after: `{
  "$version": 4, /* theirs */
  "mcp": { "excluded": ["other"] },
  "mcpServers": {
    "hotplug": {
      "command": "${COMMAND}",
      "args": ${args("qwen")},
      "alwaysLoadTools": true
    }
  }
}
`,
  },
  {
    kind: "copilot",
    file: "home/.copilot/mcp-config.json",
    before: `{"mcpServers":{"kept":{"command":"kept"}}}`,
    after: `{"mcpServers":{"kept":{"command":"kept"},"hotplug":{"type":"local",` +
      `"command":"${COMMAND}","args":["serve","--for","copilot"],"tools":["*"]}}}`,
  },
  {
    kind: "zed",
    file: "home/.config/zed/settings.json",
    before: `// Zed settings
{
  "theme": "One", // dark
}
`,
    after: `// Zed settings
{
  "theme": "One", // dark
  "context_servers": {
    "hotplug": {
      "command": "${COMMAND}",
      "args": ${args("zed")}
    }
  },
}
`,
  },
  {
    kind: "continue",
    file: "home/.continue/config.yaml",
    before: `name: mine
version: 1.0.0
schema: v1
mcpServers:
  - name: kept # first
    command: kept
models: []
`,
    after: `name: mine
version: 1.0.0
schema: v1
mcpServers:
  - name: kept # first
    command: kept
  - name: hotplug
    type: stdio
    command: ${COMMAND}
    args:
      - serve
      - --for
      - continue
models: []
`,
  },
  {
    kind: "goose",
    file: "home/.config/goose/config.yaml",
    before: "# mine\nGOOSE_MODEL: x\n",
    after: `# mine
GOOSE_MODEL: x
extensions:
  hotplug:
    name: hotplug
    enabled: true
    type: stdio
    cmd: ${COMMAND}
    args:
      - serve
      - --for
      - goose
`,
  },
  {
    kind: "amp",
    file: "home/.config/amp/settings.json",
    before: `{ "amp.notifications": true }`,
    after:
      `{ "amp.notifications": true, "amp.mcpServers": { "hotplug": { "command": "${COMMAND}", ` +
      `"args": ${args("amp")} } } }`,
  },
];

for (const { kind, scope, file, before, after } of CASES) {
  Deno.test(`a hook for ${kind} is one entry in ${file}, and leaves no trace`, async () => {
    await inHookPlace(async (place) => {
      const { install, uninstall, inspect, text, tree, write } = place;
      const words = scope === undefined ? {} : { scope };
      await write(file, before);
      const old = await tree();
      const dry = await install(kind, { ...words, dryRun: true });
      assert.deepEqual([dry.done, dry.files[0]?.after], ["installed", after]);
      assert.deepEqual(await tree(), old);
      const first = await install(kind, words);
      assert.deepEqual([first.done, first.error], ["installed", null]);
      assert.equal(await text(file), after);
      const others = new Map([...await tree()].filter(([path]) => path !== file));
      assert.deepEqual(others, new Map([...old].filter(([path]) => path !== file)));
      assert.equal((await install(kind, words)).done, "unchanged");
      const state = await inspect(kind, scope);
      assert.deepEqual(
        [state.isInstalled, state.isChanged, state.version, state.program],
        [true, false, "1.2.3", PROGRAM],
      );
      assert.equal((await uninstall(kind, words)).done, "removed");
      assert.deepEqual(await tree(), old);
      assert.equal((await uninstall(kind, words)).done, "absent");
    });
  });
}

Deno.test("every kind of host in every scope is installed, unchanged and removed without a trace", async () => {
  await inHookPlace(async ({ install, uninstall, inspect, tree }) => {
    const old = await tree();
    const all = KNOWN_HOSTS.flatMap(({ kind: { id, scopes } }) =>
      scopes.map((scope) => ({ id, scope }))
    );
    for (const { id, scope } of all) {
      const change = await install(id, { scope });
      assert.deepEqual([change.done, change.error], ["installed", null], `${id} ${scope}`);
    }
    for (const { id, scope } of all) {
      assert.equal((await install(id, { scope })).done, "unchanged", id);
      const state = await inspect(id, scope);
      assert.deepEqual(
        [state.isInstalled, state.isChanged, state.problem, state.version],
        [true, false, null, "1.2.3"],
        id,
      );
      // Some hosts have quotes of their own around a path with blanks.
      assert.match(state.program?.join() ?? "", /\/opt\/hot plug\/mcp/, id);
    }
    for (const { id, scope } of all) {
      const change = await uninstall(id, { scope });
      assert.deepEqual([change.done, change.error], ["removed", null], `${id} ${scope}`);
    }
    assert.deepEqual(await tree(), old);
  });
});

Deno.test("every kind that a profile is known of has a hook", () => {
  assert.deepEqual(KNOWN_HOSTS.map(({ kind }) => kind.id), HOST_PROFILES.map(({ id }) => id));
});

Deno.test("Claude Code gets a plugin of its own, whose tools are always shown to the model", async () => {
  await inHookPlace(async ({ install, text }) => {
    await install("claude-code");
    const folder = "home/.claude/skills/hotplug";
    assert.deepEqual(JSON.parse(await text(`${folder}/.claude-plugin/plugin.json`)), {
      name: "hotplug",
      version: "1.2.3",
      description: "The MCP servers of this machine and this project, by Hotplug",
    });
    assert.deepEqual(JSON.parse(await text(`${folder}/.mcp.json`)), {
      mcpServers: {
        hotplug: {
          type: "stdio",
          command: COMMAND,
          args: ["serve", "--for", "claude-code"],
          alwaysLoad: true,
        },
      },
    });
  });
});

Deno.test("Gemini CLI gets an extension of its own", async () => {
  await inHookPlace(async ({ install, text }) => {
    await install("gemini");
    assert.deepEqual(
      JSON.parse(await text("home/.gemini/extensions/hotplug/gemini-extension.json")),
      {
        name: "hotplug",
        version: "1.2.3",
        mcpServers: { hotplug: { command: COMMAND, args: ["serve", "--for", "gemini"] } },
      },
    );
  });
});

Deno.test("Continue without settings gets a file of its own, so that it keeps its models", async () => {
  await inHookPlace(async ({ install, uninstall, text, write, tree }) => {
    const old = await tree();
    await install("continue");
    assert.deepEqual(JSON.parse(await text("home/.continue/mcpServers/hotplug.json")), {
      mcpServers: {
        hotplug: { type: "stdio", command: COMMAND, args: ["serve", "--for", "continue"] },
      },
    });
    // Once there are settings the entry goes there, and the file goes.
    const path = await write("home/.continue/config.yaml", "name: mine\n");
    assert.equal((await install("continue")).done, "updated");
    assert.match(
      await text("home/.continue/config.yaml"),
      /^name: mine\nmcpServers:\n {2}- name: hotplug/,
    );
    assert.equal((await uninstall("continue")).done, "removed");
    assert.equal(await text("home/.continue/config.yaml"), "name: mine\n");
    await Deno.remove(path);
    await Deno.remove(dirname(path));
    assert.deepEqual(await tree(), old);
  });
});

Deno.test("a file that was made for opencode goes again with the schema that opencode adds", async () => {
  await inHookPlace(async ({ install, uninstall, text, write, tree }) => {
    const old = await tree();
    const file = "home/.config/opencode/opencode.jsonc";
    const schema = '{\n  "$schema": "https://opencode.ai/config.json",';
    await install("opencode");
    await write(file, (await text(file)).replace("{", schema));
    assert.equal((await uninstall("opencode")).done, "removed");
    assert.deepEqual(await tree(), old);
    // What the user adds stays.
    await install("opencode");
    await write(file, (await text(file)).replace("{", `${schema} "theme": "system",`));
    assert.equal((await uninstall("opencode")).done, "removed");
    assert.deepEqual(JSON.parse(await text(file)), {
      $schema: "https://opencode.ai/config.json",
      theme: "system",
    });
  });
});

Deno.test("opencode's entry goes where its settings are, and into the stronger of two files", async () => {
  await inHookPlace(async ({ install, inspect, write, text, uninstall }) => {
    const folder = "home/.config/opencode";
    await install("opencode");
    assert.match((await inspect("opencode")).paths.join(), /opencode\.jsonc$/);
    await uninstall("opencode");
    await write(`${folder}/opencode.json`, "{}\n");
    await install("opencode");
    assert.match((await inspect("opencode")).paths.join(), /opencode\.json$/);
    // The entry moves along.
    await write(`${folder}/opencode.jsonc`, "{}\n");
    assert.equal((await install("opencode")).done, "updated");
    assert.equal(await text(`${folder}/opencode.json`), "{}\n");
    await uninstall("opencode");
    assert.equal(await text(`${folder}/opencode.jsonc`), "{}\n");
  });
});

Deno.test("a profile that a host's settings moved is where its hook goes", async () => {
  await inHookPlace(({ context, home }) => {
    const env = {
      ...context.machine.env,
      CODEX_HOME: `${home}/codex`,
      CLAUDE_CONFIG_DIR: `${home}/claude`,
      GEMINI_CLI_HOME: `${home}/gemini`,
      COPILOT_HOME: `${home}/copilot`,
      PI_CODING_AGENT_DIR: `${home}/agent`,
    };
    const moved = { ...context, machine: { ...context.machine, env } };
    const request = { context: moved, scope: "user", program: PROGRAM, version: "1" } as const;
    const paths = ["codex", "claude-code", "gemini", "copilot", "pi"].map((id) => {
      const host = KNOWN_HOSTS.find(({ kind }) => kind.id === id);
      const [part] = host?.kind.parts(request) ?? [];
      return part?.what === "file" ? part.path : part?.target.path;
    });
    assert.deepEqual(paths, [
      `${home}/codex/config.toml`,
      `${home}/claude/skills/hotplug/.claude-plugin/plugin.json`,
      `${home}/gemini/.gemini/extensions/hotplug/gemini-extension.json`,
      `${home}/copilot/mcp-config.json`,
      `${home}/agent/extensions/hotplug.js`,
    ]);
    return Promise.resolve();
  });
});

import assert from "node:assert/strict";
import { expandConfig } from "../../src/definitions/placeholders.ts";
import { onMachine, planRows } from "./golden.ts";

Deno.test("what mcporter looks for in the wrong places is found (mistakes 1 and 2)", async () => {
  const found = await planRows({
    platform: "darwin",
    files: {
      "home/work/project/.mcp.json": { mcpServers: { root: { command: "a" } } },
      "home/Library/Application Support/Claude/claude_desktop_config.json": {
        mcpServers: { desktop: { command: "b" } },
      },
    },
    cwd: "packages/one",
  });
  assert.deepEqual(found.map(({ name, state }) => [name, state]).sort(), [
    ["desktop", "run"],
    ["root", "untrusted"],
  ]);
});

Deno.test("variables of a Cursor file have their values everywhere (mistakes 3 and 4)", async () => {
  await onMachine({
    platform: "linux",
    env: { FOO: "secret" },
    files: {
      "home/.cursor/mcp.json": {
        mcpServers: {
          program: { command: "a", env: { TOK: "${env:FOO}" } },
          remote: { url: "https://a.example", headers: { "X-Tok": "${env:FOO}" } },
        },
      },
    },
  }, ({ plan }, root) => {
    const values = plan.servers.map(({ definition }) => {
      assert.ok(definition !== null);
      const { config, source } = definition;
      const expanded = expandConfig(config, {
        dialect: source.dialect,
        env: { FOO: "secret" },
        home: root,
        configFolder: root,
        workspacePath: root,
        pathSeparator: "/",
      });
      return { ...expanded.config.env, ...expanded.config.headers };
    });
    assert.deepEqual(values, [{ TOK: "secret" }, { "X-Tok": "secret" }]);
  });
});

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { EditDocument } from "../../src/cli/documents.ts";
import { e2e, succeeded, type World } from "../harness/e2e.ts";

/** The text of Hotplug's store. */
function store({ config }: World): Promise<string> {
  return readFile(join(config, "mcp.json"), "utf8");
}

e2e(
  "what a README shows is pasted: JSON of several dialects, TOML, YAML [A07] [A08]",
  async (world) => {
    const server = '{ "command": "npx", "args": ["x"] }';
    const texts: readonly (readonly [readonly string[], string])[] = [
      [["-"], `{ "mcpServers": { "one": ${server} } }`],
      [["-"], `{ "servers": { "two": ${server} } } // VS Code`],
      [["-"], `"three": ${server},`],
      [["four", "-"], server],
      [["-"], '[mcp_servers.five]\ncommand = "npx"\nargs = ["x"]\n'],
      [
        ["-"],
        "extensions:\n  six:\n    type: stdio\n    cmd: npx\n    args: [x]\n    enabled: true\n",
      ],
      [["-"], `{ "mcp": { "seven": { "type": "local", "command": ["npx", "x"] } } }`],
      [[], `{ "mcpServers": { "eight": ${server} } }`],
    ];
    for (const [words, stdin] of texts) succeeded(await world.mcp(["add", ...words], { stdin }));
    const stored = JSON.parse(await store(world)).mcpServers as Record<string, unknown>;
    assert.deepEqual(Object.keys(stored), [
      ...["one", "two", "three", "four", "five", "six", "seven", "eight"],
    ]);
    for (const [name, entry] of Object.entries(stored)) {
      const { command, args } = entry as { readonly command: unknown; readonly args: unknown };
      assert.deepEqual([command, args], ["npx", ["x"]], name);
    }
  },
);

e2e("a bad one among pasted servers costs only itself [A05]", async (world) => {
  const stdin =
    '{ "mcpServers": { "bad": { "command": "a", "args": "-y s3cr3t" }, "fine": { "command": "b" } } }';
  const run = await world.mcp(["add", "--json", "-"], { stdin });
  assert.equal(run.code, 1);
  const { servers } = run.json<EditDocument>();
  assert.deepEqual(servers.map(({ name, done }) => [name, done]), [
    ["bad", "refused"],
    ["fine", "added"],
  ]);
  assert.deepEqual(Object.keys(JSON.parse(await store(world)).mcpServers), ["fine"]);
});

e2e("an entry of another agent's is pasted in the store's words, which is said", async (world) => {
  const stdin = JSON.stringify({
    mcpServers: {
      c: { command: "npx", autoApprove: ["t"], timeout: 60, env: { K: "${env:K}" } },
      n: { command: "npx", env: { K: "$K" } },
    },
  });
  const { stdout } = succeeded(await world.mcp(["add", "-"], { stdin }));
  assert.match(stdout, /c: added [^\n]*\n {2}warning: Read in the words of Cline\n/);
  assert.match(
    stdout,
    /n: added [^\n]*\n {2}warning: "env\.K" holds what some agents write as \$NAME/,
  );
  const { c, n } = JSON.parse(await store(world)).mcpServers;
  assert.deepEqual([c.callTimeout, c.env, n.env], [60_000, { K: "${K}" }, { K: "${K}" }]);
});

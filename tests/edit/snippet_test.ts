import assert from "node:assert/strict";
import { translateConfig } from "../../src/definitions/placeholder_translation.ts";
import { snippetServers } from "../../src/edit/snippet.ts";
import type { ServerConfig } from "../../src/model/definition.ts";
import type { HotplugError } from "../../src/model/errors.ts";

async function servers(
  text: string,
  name?: string,
): Promise<Readonly<Record<string, ServerConfig>>> {
  return Object.fromEntries(
    (await snippetServers(text, name)).map((one) => [one.name, one.config]),
  );
}

const UVX: ServerConfig = { type: "stdio", command: "uvx", args: ["pandoc"] };

Deno.test("what READMEs show for any agent is understood, whatever wraps it [A07] [A08]", async () => {
  const entry = '{ "command": "uvx", "args": ["pandoc"] }';
  const texts = [
    `{ "mcpServers": { "p": ${entry} } }`,
    `{ "servers": { "p": ${entry} }, "inputs": [] }`,
    `{ "mcp": { "servers": { "p": ${entry} } } }`,
    `{ "p": ${entry} }`,
    `"p": ${entry},`,
    `"mcpServers": { "p": ${entry} }`,
    `{ // for Claude\n "mcpServers": { "p": ${entry}, }, }`,
    `\`\`\`json\n{ "mcpServers": { "p": ${entry} } }\n\`\`\`\n`,
    `\ufeff{ "mcpServers": { "p": ${entry} } }`,
  ];
  for (const text of texts) assert.deepEqual(await servers(text), { p: UVX }, text);
});

Deno.test("a wrapper that was pasted into a wrapper is unwrapped [A09]", async () => {
  const inner = '{ "mcpServers": { "pandoc": { "command": "uvx", "args": ["pandoc"] } } }';
  assert.deepEqual(await servers(`{ "servers": { "pandoc": ${inner} } }`), { pandoc: UVX });
  assert.deepEqual(await servers(`{ "mcpServers": ${inner} }`), { pandoc: UVX });
});

Deno.test("one entry takes the name that is given, and needs one", async () => {
  const entry = '{ "command": "uvx", "args": ["pandoc"] }';
  assert.deepEqual(await servers(entry, "mine"), { mine: UVX });
  assert.deepEqual(await servers(`{ "mcpServers": { "p": ${entry} } }`, "mine"), { mine: UVX });
  await assert.rejects(snippetServers(entry, undefined), /without a name/);
  await assert.rejects(
    snippetServers(`{ "mcpServers": { "p": ${entry}, "q": ${entry} } }`, "mine"),
    /it holds 2 servers/,
  );
});

Deno.test("what holds no server is refused with the place or the form, and without its values", async () => {
  for (
    const text of [
      "",
      "[]",
      "12",
      "{}",
      '{ "a": 1 }',
      '{ "mcpServers": {',
      '{ "token": "s3cr3tvalue" }',
    ]
  ) {
    await assert.rejects(
      snippetServers(text, undefined),
      (error: HotplugError) =>
        error.code === "bad-arguments" && error.hint !== null &&
        !error.message.includes("s3cr3tvalue"),
      text,
    );
  }
});

Deno.test("what is wrong with one of several servers stands in its own problems [A05]", async () => {
  const found = await snippetServers(
    `{ "mcpServers": {
      "bad": { "command": "a", "args": "-y --token s3cr3tvalue" },
      "fine": { "command": "b" } } }`,
    undefined,
  );
  assert.deepEqual(found.map(({ name, problems = [] }) => [name, problems.length]), [
    ["bad", 1],
    ["fine", 0],
  ]);
  const [problem] = found[0]?.problems ?? [];
  assert.match(problem?.message ?? "", /"args".*\(the pasted text\)$/);
  assert.doesNotMatch(JSON.stringify(problem), /s3cr3tvalue/);
});

Deno.test("TOML and YAML are told by how they begin, comments before them included", async () => {
  const texts = [
    '# Codex\n\n[mcp_servers.p]\ncommand = "uvx"\nargs = ["pandoc"]\n',
    "---\n# Goose\nextensions:\n  p:\n    type: stdio\n    cmd: uvx\n    args: [pandoc]\n    enabled: true\n",
    "mcpServers:\r\n  - name: p\r\n    command: uvx\r\n    args: [pandoc]\r\n",
    "```yaml\nmcpServers:\n  p: { command: uvx, args: [pandoc] }\n```",
    'context_servers:\n  p:\n    command: uvx\n    args: ["pandoc"]\n',
  ];
  for (const text of texts) {
    const { p } = await servers(text);
    assert.deepEqual([p?.command, p?.args], ["uvx", ["pandoc"]], text);
  }
});

Deno.test("texts of an agent that knows no placeholders stay what they say", async () => {
  const [codex] = await snippetServers(
    '[mcp_servers.p]\ncommand = "a"\nargs = ["${NOT}"]\nenv_vars = ["TOKEN"]\n',
    undefined,
  );
  assert.ok(codex !== undefined);
  const { config } = translateConfig(codex.config, codex.dialect, "hotplug");
  assert.deepEqual([config.args, config.inheritEnv], [["$${NOT}"], ["TOKEN"]]);
});

Deno.test("an entry that brings its name needs none, and what is no MCP server is left out", async () => {
  assert.deepEqual(await servers('{ "name": "p", "command": "uvx", "args": ["pandoc"] }'), {
    p: UVX,
  });
  const own =
    "extensions:\n  dev:\n    type: builtin\n    cmd: x\n  p:\n    type: stdio\n    cmd: uvx\n";
  assert.deepEqual(Object.keys(await servers(own)), ["p"]);
});

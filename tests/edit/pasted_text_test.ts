import assert from "node:assert/strict";
import { snippetServers } from "../../src/edit/snippet.ts";

const README = `# A server

1. Claude, in \`.mcp.json\`:

   \`\`\`json
   { "mcpServers": { "x": { "command": "npx", "args": "-y x" } } }
   \`\`\`

2. VS Code:

   ~~~jsonc
   { "servers": { "x": { "command": "npx", "args": ["x"] }, // the same
       "y": { "url": "https://h.example" } } }
   ~~~

> \`\`\`toml
> [mcp_servers.z]
> command = "a"
> \`\`\`

\`\`\`bash
npm install x
\`\`\`
`;

Deno.test("every fence of a README that holds servers is taken, the first readable form of each", async () => {
  const found = await snippetServers(README, undefined);
  assert.deepEqual(found.map(({ name, problems = [] }) => [name, problems.length]), [
    ["x", 0],
    ["y", 0],
    ["z", 0],
  ]);
  const [x, y] = found;
  assert.deepEqual([x?.config.args, x?.dialect], [["x"], "vscode"]);
  assert.match(x?.warnings?.join() ?? "", /in 2 forms: number 2 is taken/);
  assert.deepEqual(y?.warnings, []);
});

Deno.test("a fence that cannot be read is told where others hold servers, and named where none does", async () => {
  const broken = '```json\n{ "mcpServers": { "x": { "command": \n```\n';
  const fine = '```json\n{ "mcpServers": { "y": { "command": "a" } } }\n```\n';
  const [y] = await snippetServers(`First\n${broken}Then\n${fine}`, undefined);
  assert.match(y?.warnings?.join() ?? "", /Part 1 of the text is left out: .* at line/);
  await assert.rejects(snippetServers(`First\n${broken}`, undefined), /at line \d/);
  await assert.rejects(snippetServers("Text\n```json\n{}\n```\n", undefined), /no server/);
});

Deno.test("a fence that is never closed, and one within a fence, lose nothing", async () => {
  const open =
    '````md\n```json\n{}\n```\n````\n```json\n{ "mcpServers": { "y": { "command": "a" } } }';
  assert.deepEqual((await snippetServers(open, undefined)).map(({ name }) => name), ["y"]);
});

Deno.test("one server in two fences takes the name that is given", async () => {
  const fence = (text: string): string => `\`\`\`json\n${text}\n\`\`\`\n`;
  const both = fence('{ "command": "a" }') + fence('{ "command": "b" }');
  const found = await snippetServers(both, "mine");
  assert.deepEqual(found.map(({ name, config }) => [name, config.command]), [["mine", "a"]]);
});

Deno.test("a piece of JSON without braces is read behind comments like one without", async () => {
  const piece = '"mcpServers": { "y": { "command": "a" } }';
  for (
    const before of ["", "// one\n", "\ufeff// one\n// two\n", "/* one\n */\n", " /**/ // \r\n "]
  ) {
    const found = await snippetServers(`${before}${piece},\n`, undefined);
    assert.deepEqual(found.map(({ name, config }) => [name, config.command]), [["y", "a"]]);
  }
});

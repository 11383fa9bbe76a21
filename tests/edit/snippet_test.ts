import assert from "node:assert/strict";
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

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

Deno.test("an entry that brings its name needs none", async () => {
  assert.deepEqual(await servers('{ "name": "p", "command": "uvx", "args": ["pandoc"] }'), {
    p: UVX,
  });
});

/** Names with what refuses them; `null` for those that are fine. */
async function verdicts(text: string): Promise<Readonly<Record<string, string | null>>> {
  return Object.fromEntries(
    (await snippetServers(text, undefined)).map(({ name, problems = [] }) => [
      name,
      problems[0]?.message ?? null,
    ]),
  );
}

Deno.test("every entry gives a server or says why it is none [A05] [A32]", async () => {
  const found = await verdicts(`{ "mcpServers": {
    "args": { "args": [1] }, "time": { "timeout": 5 }, "text": "npx", "none": null, "empty": {},
    "zed": { "command": { "path": "/x", "args": ["a"], "env": null } },
    "base": { "baseUrl": "https://h.example" }, "fine": { "command": "a" } } }`);
  for (const name of ["args", "time", "empty"]) assert.match(found[name] ?? "", /neither/, name);
  for (const name of ["text", "none"]) assert.match(found[name] ?? "", /must be an object/, name);
  for (const name of ["zed", "base", "fine"]) assert.equal(found[name], null, name);
  const zed = await verdicts(
    '{ "context_servers": { "a": { "settings": {} }, "b": { "command": "x", "env": null } } }',
  );
  assert.deepEqual([/Only Zed/.test(zed["a"] ?? ""), zed["b"]], [true, null]);
  const goose =
    "extensions:\n  dev:\n    type: builtin\n    cmd: x\n  p:\n    type: stdio\n    cmd: uvx\n";
  const { dev, p } = await verdicts(goose);
  assert.match(dev ?? "", /something of Goose's own/);
  assert.equal(p, null);
  const listed = await verdicts(
    '{ "mcpServers": [{ "command": "a" }, { "name": "n", "url": 5 }] }',
  );
  assert.match(listed["#1"] ?? "", /it has no name/);
  assert.match(listed["n"] ?? "", /"url"/);
});

Deno.test("servers beside a wrapper that was pasted into a wrapper stay [A09]", async () => {
  const text =
    '{ "mcpServers": { "mcpServers": { "p": { "command": "a" } }, "q": { "command": "b" } } }';
  assert.deepEqual(Object.keys(await servers(text)), ["p", "q"]);
});

Deno.test("a name that stands twice in one object is told", async () => {
  const [x] = await snippetServers(
    '{ "mcpServers": { "x": { "command": "a" }, "x": { "command": "b" } } }',
    undefined,
  );
  assert.equal(x?.config.command, "b");
  assert.match(x?.warnings?.join() ?? "", /"x" stands twice/);
});

Deno.test("a command line is refused with the form for it, and without its values", async () => {
  for (
    const text of [
      "claude mcp add x -e TOKEN=s3cr3tvalue -- npx -y y",
      "```bash\n$ npx -y y --token s3cr3tvalue\n```",
      `code --add-mcp '{"name":"x","token":"s3cr3tvalue"}'`,
    ]
  ) {
    await assert.rejects(
      snippetServers(text, undefined),
      (error: HotplugError) =>
        /it is a command line/.test(error.message) &&
        /mcp add <name> -- <command>/.test(error.hint ?? "") &&
        !`${error.message}${error.hint}`.includes("s3cr3tvalue"),
      text,
    );
  }
});

Deno.test("every list and table that agents have for servers is read", async () => {
  const texts: readonly (readonly [string, ServerConfig])[] = [
    ['mcp_servers.p.command = "uvx"\nmcp_servers.p.args = ["pandoc"]\n', UVX],
    ['[mcp_servers."p"]\ncommand = "uvx"\nargs = ["pandoc"]\n', UVX],
    ['[[plugins]]\nname = "p"\ncommand = "uvx"\nargs = ["pandoc"]\n', UVX],
    ['[[mcp_servers]]\nname = "p"\ntransport = "stdio"\ncommand = "uvx pandoc"\n', UVX],
    [
      `{ "customizations": { "vscode": { "mcp": { "servers": {
        "p": { "command": "uvx", "args": ["pandoc"] } } } } } }`,
      UVX,
    ],
    [
      '[{ "name": "p", "command": "uvx", "args": ["pandoc"], "env": [{ "name": "A", "value": "b" }] }]',
      { ...UVX, env: { A: "b" } },
    ],
  ];
  for (const [text, config] of texts) assert.deepEqual(await servers(text), { p: config }, text);
  const [spaced] = await snippetServers('[mcp_servers."my server"]\ncommand = "a"\n', undefined);
  assert.equal(spaced?.name, "my server");
});

import assert from "node:assert/strict";
import { maskedDiff } from "../../src/edit/masked_diff.ts";

const JSON_FILE = "/home/me/.config/hotplug/mcp.json";

function entry(env: object, args: readonly string[] = []): string {
  return `${JSON.stringify({ mcpServers: { x: { command: "node", args, env } } }, null, 2)}\n`;
}

Deno.test("a diff shows what changed, and its file by name", async () => {
  const before = entry({ MODE: "fast" });
  const diff = await maskedDiff({ path: JSON_FILE, before, after: entry({ MODE: "slow" }) });
  assert.deepEqual(diff.trimEnd().split("\n"), [
    `--- ${JSON_FILE}`,
    `+++ ${JSON_FILE}`,
    "@@ -5,5 +5,5 @@",
    '       "args": [],',
    '       "env": {',
    '-        "MODE": "fast"',
    '+        "MODE": "slow"',
    "       }",
    "     }",
  ]);
});

Deno.test("every likely secret of JSON, TOML and YAML is replaced, before and after the edit", async () => {
  const secrets = [
    "s3cr3t-old",
    "s3cr3t-new",
    "p@ss!w0rd",
    "sk-abcdefgh12345678",
    "8675309123",
    "hunter2hunter2",
    "MIIEabcd+/12",
  ];
  const [old, next, password, token, number, login, line] = secrets;
  const files: readonly (readonly [string, string | null, string])[] = [
    [JSON_FILE, entry({ API: old }), entry({ API: next, PIN: Number(number) })],
    [
      JSON_FILE,
      null,
      JSON.stringify({ mcpServers: { x: { command: "mysql", args: ["-uroot", `-p${next}`] } } }),
    ],
    [JSON_FILE, null, entry({}, ["--password", `${password}`, `--key=${next}`, `${token}`])],
    [
      JSON_FILE,
      null,
      `{ // was ${token}, token = ${old}\n "mcpServers": { "x": { "url": ` +
      `"https://me:${login}@h.example/mcp?apiKey=${next}", "headers": { "X": "Bearer ${token}" } } } }`,
    ],
    [
      "/c.toml",
      `# api_key = "${old}"\n`,
      `# api_key = "${old}"\n[mcp_servers.x]\ncommand = "a"\nargs = ["--token", "${password}"]\n` +
      `[mcp_servers.x.env]\nKEY = """\n${line}\n${next}"""\nPORT_PIN = ${number}\n`,
    ],
    [
      "/c.yaml",
      null,
      `extensions:\n  x:\n    cmd: a\n    envs:\n      A: ${password}\n      B: '${old}'\n` +
      `      C: |\n        ${line}\n        ${next}\n      D: ${number}\n`,
    ],
  ];
  for (const [path, before, after] of files) {
    const diff = await maskedDiff({ path, before, after });
    assert.match(diff, /\*\*\*/);
    for (const secret of secrets) {
      assert.ok(!diff.includes(String(secret)), `${path}: ${secret}\n${diff}`);
    }
  }
});

Deno.test("a secret that is written in an unusual way costs the values, not the secret", async () => {
  const escaped = String.raw`{"mcpServers": {
    "x": {
      "command": "node",
      "env": { "LOG": "hid\u0064en-v4lue" }
    }
  }
}`;
  const yaml = "extensions:\n  x:\n    cmd: node\n    envs:\n      Q: 'it''s-hid''den'\n";
  for (const [path, after] of [[JSON_FILE, escaped], ["/c.yaml", yaml]] as const) {
    const diff = await maskedDiff({ path, before: null, after });
    assert.doesNotMatch(diff, /hid|v4lue/);
    assert.doesNotMatch(diff, /node/, "no value is shown");
    assert.match(diff, /(?:"command"|cmd): \*\*\*/, "keys are");
  }
});

Deno.test("placeholders, plain settings and everyday words stay as they are", async () => {
  const after = entry({ TOKEN: "${TOKEN}", DIR: "/home/me/x", NODE_ENV: "production", N: "8080" }, [
    "--token",
    "${env:T}",
  ]);
  const diff = await maskedDiff({ path: JSON_FILE, before: null, after });
  for (const part of ["${TOKEN}", "/home/me/x", "production", "8080", "${env:T}"]) {
    assert.ok(diff.includes(part), part);
  }
  assert.doesNotMatch(diff, /\*\*\*/);
});

Deno.test("a header that is a scheme and a placeholder hides nothing of the file", async () => {
  for (
    const value of [
      "Bearer ${TOKEN}",
      "Bearer ${env:TOKEN}",
      "Bearer {env:TOKEN}",
      "${{ secrets.TOKEN }}",
      "Bearer ${{ secrets.TOKEN }}",
    ]
  ) {
    const server = { url: "https://h.example/mcp", headers: { Authorization: value } };
    const after = JSON.stringify({ mcpServers: { x: server } }, null, 2);
    const diff = await maskedDiff({ path: JSON_FILE, before: null, after });
    assert.ok(diff.includes(`"Authorization": ${JSON.stringify(value)}`), diff);
    assert.ok(diff.includes("https://h.example/mcp"), diff);
  }
  // What is not known as a placeholder is a value, and costs no more than itself.
  const server = { url: "https://h.example/mcp", headers: { Authorization: "Bearer $TOKEN" } };
  const after = JSON.stringify({ mcpServers: { x: server } }, null, 2);
  const diff = await maskedDiff({ path: JSON_FILE, before: null, after });
  assert.match(diff, /"Authorization": "(?:Bearer )?\*\*\*"/);
  assert.ok(diff.includes("https://h.example/mcp"), diff);
});

Deno.test("a secret that looks like a part of the path leaves the path", async () => {
  const after = entry({ TOKEN: "hotplug" });
  const diff = await maskedDiff({ path: JSON_FILE, before: null, after });
  assert.ok(diff.startsWith(`--- ${JSON_FILE}\n+++ ${JSON_FILE}\n`));
  assert.match(diff, /"TOKEN": "\*\*\*"/);
});

Deno.test("a file on one long line is cut, after its secrets are replaced", async () => {
  const filler = "x".repeat(2_000_000);
  const text = (env: object): string =>
    JSON.stringify({ mcpServers: { x: { command: "a", env } }, filler });
  const diff = await maskedDiff({
    path: JSON_FILE,
    before: text({}),
    after: text({ TOKEN: "s3cr3t-new" }),
  });
  assert.ok(diff.length < 2_000);
  assert.doesNotMatch(diff, /s3cr3t/);
  assert.match(diff, /more characters/);
});

Deno.test("Windows line ends do not end up on the terminal", async () => {
  const before = entry({}).replaceAll("\n", "\r\n");
  const after = entry({ A: "b" }).replaceAll("\n", "\r\n");
  assert.doesNotMatch(await maskedDiff({ path: JSON_FILE, before, after }), /\r/);
});

import assert from "node:assert/strict";
import type { ServerConfig } from "../../src/model/definition.ts";
import { claudeCode } from "../../src/sources/claude_code.ts";
import { CLAUDE_FORMAT } from "../../src/sources/claude_entry.ts";
import { writeEntry } from "../../src/sources/written_entry.ts";
import { assertPlan, type GoldenRow } from "./golden.ts";
import { only, TempMachine } from "./temp_machine.ts";

const HOME_FILE = "home/.claude.json";

const ROWS: readonly GoldenRow[] = [
  {
    name: "github",
    state: "run",
    source: "claude-code",
    scope: "user",
    file: HOME_FILE,
    config: {
      type: "stdio",
      command: "npx",
      args: ["-y", "@modelcontextprotocol/server-github"],
      env: { GITHUB_TOKEN: "${GITHUB_TOKEN}", LEVEL: "${LEVEL:-info}" },
    },
  },
  {
    name: "linear",
    state: "run",
    source: "claude-code",
    scope: "user",
    file: HOME_FILE,
    config: {
      type: "streamable_http",
      url: "https://mcp.linear.app/mcp",
      headers: { Authorization: "Bearer ${LINEAR}" },
      callTimeout: 60_000,
      oauth: { clientId: "abc", callbackPort: 8080 },
    },
  },
  {
    name: "old",
    state: "run",
    source: "claude-code",
    scope: "user",
    file: HOME_FILE,
    config: { type: "sse", url: "https://old.example/sse", headers: {} },
  },
];

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`what Claude Code itself writes is read on ${platform}`, async () => {
    await assertPlan({
      platform,
      env: { GITHUB_TOKEN: "t", LINEAR: "l" },
      files: {
        [HOME_FILE]: {
          numStartups: 3,
          mcpServers: {
            github: {
              type: "stdio",
              command: "npx",
              args: ["-y", "@modelcontextprotocol/server-github"],
              env: { GITHUB_TOKEN: "${GITHUB_TOKEN}", LEVEL: "${LEVEL:-info}" },
              alwaysLoad: true,
            },
            linear: {
              type: "http",
              url: "https://mcp.linear.app/mcp",
              headers: { Authorization: "Bearer ${LINEAR}" },
              timeout: 60_000,
              oauth: { clientId: "abc", callbackPort: 8080 },
            },
            old: { type: "sse", url: "https://old.example/sse", headers: {} },
          },
        },
      },
    }, ROWS);
  });
}

Deno.test("a name that Claude Code keeps for itself is a warning, and the server runs", async () => {
  await using machine = await TempMachine.create();
  const names = ["workspace", "claude-in-chrome", "computer-use", "Claude Preview"];
  await machine.write(HOME_FILE, {
    mcpServers: Object.fromEntries([...names, "memory"].map((name) => [name, { command: "a" }])),
  });
  const reading = await machine.read(claudeCode);
  for (const name of names) {
    const { warnings, problems } = only(reading, name);
    assert.match(warnings.join(), /does not load this server/);
    assert.deepEqual(problems, []);
  }
  assert.deepEqual(only(reading, "memory").warnings, []);
});

Deno.test("a type that nobody else can serve is one problem that says what is not supported", async () => {
  await using machine = await TempMachine.create();
  await machine.write(HOME_FILE, {
    mcpServers: {
      socket: { type: "ws", url: "wss://h.example/mcp", headers: { A: "b" } },
      inside: { type: "sdk", name: "inside" },
      connector: { type: "claudeai-proxy", url: "https://h.example", id: "1" },
      tricky: { type: "constructor", command: "a" },
      good: { command: "a" },
    },
  });
  const reading = await machine.read(claudeCode);
  const problems = (name: string): string =>
    only(reading, name).problems.map(({ message }) => message).join("; ");
  assert.match(problems("socket"), /^Cannot use "type": "ws": WebSocket .* not supported \([^;]*$/);
  assert.match(problems("inside"), /^Cannot use "type": "sdk": [^;]*embeds Claude Code[^;]*$/);
  assert.match(problems("connector"), /^Cannot use "type": "claudeai-proxy": [^;]*account[^;]*$/);
  assert.match(problems("tricky"), /Unknown type "constructor"/);
  assert.equal(problems("good"), "");
});

Deno.test("white space around values and names is named by its field, and never shown", async () => {
  await using machine = await TempMachine.create();
  await machine.write(HOME_FILE, {
    mcpServers: {
      local: {
        command: "node ",
        args: ["ok", " secret-argument"],
        env: { "TOKEN ": "x", KEY: "secret-value\n" },
      },
      remote: { type: "http", url: " https://h.example/", headers: { " X-Key": "k " } },
      clean: { command: "node", args: ["a b"], env: { A: "b c" } },
    },
  });
  const reading = await machine.read(claudeCode);
  const local = only(reading, "local");
  assert.deepEqual(local.warnings, [
    `"command" starts or ends with white space`,
    `"args[1]" starts or ends with white space`,
    `The name "TOKEN" in "env" starts or ends with white space`,
    `"env.KEY" starts or ends with white space`,
  ]);
  assert.deepEqual(local.config.args, ["ok", " secret-argument"]);
  assert.ok(!local.warnings.join().includes("secret"));
  assert.deepEqual(only(reading, "remote").warnings.slice(0, 3), [
    `"url" starts or ends with white space`,
    `The name "X-Key" in "headers" starts or ends with white space`,
    `"headers.X-Key" starts or ends with white space`,
  ]);
  assert.deepEqual(only(reading, "clean").warnings, []);
});

Deno.test("an empty url is a problem of its server alone [A05]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(HOME_FILE, {
    mcpServers: { bad: { type: "http", url: "" }, good: { command: "a" } },
  });
  const reading = await machine.read(claudeCode);
  assert.match(only(reading, "bad").problems[0]?.message ?? "", /requires url/);
  assert.deepEqual(only(reading, "good").problems, []);
});

Deno.test("what is written for Claude Code is read back as it was", async () => {
  const configs: Readonly<Record<string, ServerConfig>> = {
    local: { type: "stdio", command: "npx", args: ["-y", "x"], env: { A: "${A:-b}" } },
    remote: {
      type: "streamable_http",
      url: "https://h.example/mcp",
      headers: { Authorization: "Bearer ${T}" },
      callTimeout: 5000,
      oauth: { clientId: "c" },
    },
    older: { type: "sse", url: "https://h.example/sse" },
  };
  const written = Object.entries(configs).map(([name, config]) => {
    const { raw, problems, warnings } = writeEntry(name, config, CLAUDE_FORMAT);
    assert.deepEqual([problems, warnings], [[], []]);
    return [name, raw] as const;
  });
  assert.deepEqual(written.map(([, raw]) => raw["type"]), ["stdio", "http", "sse"]);
  await using machine = await TempMachine.create();
  await machine.write(HOME_FILE, { mcpServers: Object.fromEntries(written) });
  const reading = await machine.read(claudeCode);
  for (const [name, config] of Object.entries(configs)) {
    assert.deepEqual(only(reading, name).config, config);
  }
  const { problems } = writeEntry("x", { command: "a", cwd: "/w" }, CLAUDE_FORMAT);
  assert.match(problems[0]?.message ?? "", /no word for "cwd"/);
});

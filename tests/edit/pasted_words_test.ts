import assert from "node:assert/strict";
import { translateConfig } from "../../src/definitions/placeholder_translation.ts";
import type { NewServer } from "../../src/edit/new_server.ts";
import { snippetServers } from "../../src/edit/snippet.ts";
import type { ServerConfig } from "../../src/model/definition.ts";

const URL = "https://h.example";

async function one(entry: object, wrapper = "mcpServers", more: object = {}): Promise<NewServer> {
  const [server] = await snippetServers(
    JSON.stringify({ ...more, [wrapper]: { x: entry } }),
    undefined,
  );
  assert.ok(server !== undefined);
  return server;
}

/** The server as the store would hold it. */
function stored({ config, dialect }: NewServer): ServerConfig {
  const { config: translated, problems } = translateConfig(config, dialect, "hotplug");
  assert.deepEqual(problems, []);
  return translated;
}

const AUTHORIZED = { headers: { Authorization: "Bearer ${T}" } };

/** Whose an entry is, the entry, and what the store would hold. */
const TOLD: readonly (readonly [string, object, ServerConfig])[] = [
  [
    "Cline",
    { command: "a", autoApprove: ["t"], timeout: 60, env: { K: "${env:K}" } },
    { type: "stdio", command: "a", autoApprove: ["t"], callTimeout: 60_000, env: { K: "${K}" } },
  ],
  ["Cline", { type: "streamableHttp", url: URL }, { type: "streamable_http", url: URL }],
  ["Cline", { transportType: "sse", url: URL }, { type: "sse", url: URL }],
  [
    "Roo Code / Zoo Code",
    { command: "a", alwaysAllow: ["t"], watchPaths: ["w"], timeout: 60 },
    { type: "stdio", command: "a", autoApprove: ["t"], callTimeout: 60_000 },
  ],
  [
    "Windsurf",
    { serverUrl: URL, headers: { Authorization: "Bearer ${env:T}" } },
    { url: URL, ...AUTHORIZED },
  ],
  // Windsurf has no such variable; of those with the key, Antigravity's reading is the plain one.
  ["Antigravity", { serverUrl: URL, ...AUTHORIZED }, { url: URL, ...AUTHORIZED }],
  [
    "Gemini CLI",
    { httpUrl: URL, trust: true, timeout: 5000, headers: { Authorization: "Bearer $T" } },
    {
      type: "streamable_http",
      url: URL,
      startupTimeout: 5000,
      callTimeout: 5000,
      ...AUTHORIZED,
    },
  ],
  [
    "Kimi Code",
    { url: URL, bearerTokenEnvVar: "T", startupTimeoutMs: 5000 },
    { url: URL, startupTimeout: 5000, ...AUTHORIZED },
  ],
  [
    "Copilot CLI",
    { type: "local", command: "a", tools: ["*"], env: { A: "$B" } },
    { type: "stdio", command: "a", env: { A: "${B}" } },
  ],
  ["mcporter", { baseUrl: URL, headers: { A: "$env:B" } }, { url: URL, headers: { A: "${B}" } }],
  ["Warp", { command: "a", working_directory: "/w" }, { type: "stdio", command: "a", cwd: "/w" }],
];

for (const [label, entry, config] of TOLD) {
  const keys = Object.keys(entry).join(", ");
  Deno.test(`an entry with ${keys} is read in the words of ${label}, and says so`, async () => {
    const server = await one(entry);
    assert.deepEqual(stored(server), config);
    assert.deepEqual([server.problems, server.warnings], [[], [`Read in the words of ${label}`]]);
  });
}

Deno.test("what stands under mcp is Crush's or opencode's by its own keys or its schema", async () => {
  const crush = await one(
    { type: "stdio", command: "a", timeout: 60, env: { A: "$(cat f)", B: "$C" } },
    "mcp",
  );
  assert.deepEqual(stored(crush), {
    type: "stdio",
    command: "a",
    startupTimeout: 60_000,
    env: { A: "!cat f", B: "${C}" },
  });
  const told = await one({ command: "a", timeout: 60 }, "mcp", {
    $schema: "https://charm.land/crush.json",
  });
  assert.equal(told.config.startupTimeout, 60_000);
  assert.deepEqual(told.warnings, ["Read in the words of Crush"]);
  const opencode = await one(
    { type: "local", command: ["a", "b"], environment: { A: "{env:B}" } },
    "mcp",
  );
  assert.deepEqual(stored(opencode), {
    type: "stdio",
    command: "a",
    args: ["b"],
    env: { A: "${B}" },
  });
  const untold = await one({ command: "a", env: { A: "${B}" } }, "mcp");
  assert.deepEqual([stored(untold).env, untold.warnings], [{ A: "${B}" }, []]);
});

Deno.test("an entry that cannot be its agent's is read in nobody's words, which is said", async () => {
  const server = await one({ type: "streamableHttp", url: URL, ...AUTHORIZED });
  assert.deepEqual(stored(server), { type: "streamable_http", url: URL, ...AUTHORIZED });
  assert.match(server.warnings?.join() ?? "", /no agent's words.*Cline's/);
  const vscode = await one({ url: URL, ...AUTHORIZED }, "servers");
  assert.deepEqual([vscode.problems, stored(vscode)], [[], { url: URL, ...AUTHORIZED }]);
});

Deno.test("a limit below 1000 of nobody's is one of seconds, and never so many milliseconds", async () => {
  for (
    const [entry, wrapper] of [
      [{ command: "a", timeout: 60 }, "mcpServers"],
      [{ command: "a", timeout: "60" }, "mcpServers"],
      [{ command: "a", timeout: 60 }, "mcp"],
      [{ command: "a", timeout: 60 }, "servers"],
      [{ serverUrl: URL, timeout: 60 }, "mcpServers"],
    ] as const
  ) {
    const { config, warnings } = await one(entry, wrapper);
    const limits = [config.startupTimeout, config.callTimeout];
    assert.deepEqual(limits, [60_000, 60_000], JSON.stringify(entry));
    assert.match(warnings?.join() ?? "", /"timeout" is read as 60 seconds/);
  }
  const long = await one({ command: "a", timeout: 60_000, autoApprove: ["t"] });
  assert.deepEqual([long.config.callTimeout, long.warnings], [60_000, []]);
});

Deno.test("placeholders of any agent become variables where no agent is known, with a word [A07]", async () => {
  const server = await one({
    command: "a",
    args: ["{env:ARG}", "$(pwd)", "cost: $5", "$1"],
    env: {
      ALONE: "$NAME",
      SECRET: "${{ secrets.NAME }}",
      COMMAND: "$(cat f)",
      CMD: "${cmd: cat f}",
      OWN: "${NAME}",
      PASSWORD: "pa$$word$x",
    },
  });
  assert.deepEqual(server.problems, []);
  assert.deepEqual(stored(server), {
    type: "stdio",
    command: "a",
    args: ["${ARG}", "$(pwd)", "cost: $5", "$1"],
    env: {
      ALONE: "${NAME}",
      SECRET: "${NAME}",
      COMMAND: "!cat f",
      CMD: "!cat f",
      OWN: "${NAME}",
      PASSWORD: "pa$$word$x",
    },
  });
  assert.deepEqual(server.warnings?.map((text) => /^"([^"]+)"/.exec(text)?.[1]), [
    "args[0]",
    "env.ALONE",
    "env.SECRET",
    "env.COMMAND",
    "env.CMD",
  ]);
  const file = await one({ command: "a", env: { A: "${file:/x}" } });
  assert.match(file.problems?.[0]?.message ?? "", /"env\.A".*content of a file/);
});

Deno.test("a warning names the form of placeholder that was found", async () => {
  for (const kind of ["secrets", "inputs"]) {
    const { warnings = [] } = await one({ command: "a", env: { A: `\${{ ${kind}.Z }}` } });
    assert.equal(warnings.length, 1);
    assert.ok(warnings[0]?.includes(`\${{ ${kind}.NAME }}`), warnings[0]);
  }
});

Deno.test("keys alone are no reason to send the name of a variable; the agent's own table is", async () => {
  const told = await one({ serverUrl: URL, headers: { Authorization: "Bearer $T" } });
  assert.deepEqual(stored(told).headers, AUTHORIZED.headers);
  assert.match(told.warnings?.join() ?? "", /"headers\.Authorization"/);
  const [codex] = await snippetServers(
    '[mcp_servers.x]\ncommand = "a"\nargs = ["$T"]\n',
    undefined,
  );
  assert.deepEqual(codex?.config.args, ["$T"]);
  assert.match(codex?.warnings?.join() ?? "", /"args\[0\]".*Codex sends it as it is/);
});

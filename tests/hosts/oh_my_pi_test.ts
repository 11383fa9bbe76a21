import assert from "node:assert/strict";
import { exportTest, type Listed } from "./export_test_case.ts";
import { type Host, hostTest } from "./host_test_case.ts";
import { OH_MY_PI as AGENT } from "./known_agents.ts";

/** A model that is never asked; without one nothing starts. */
const MODELS = `providers:
  none:
    baseUrl: http://127.0.0.1:9/v1
    api: openai-completions
    apiKey: made-up
    models:
      - { id: none, name: none, contextWindow: 1000, maxTokens: 100 }
`;

/** What the agent answers to its own slash commands. */
async function slash({ home, run }: Host, ...commands: readonly string[]): Promise<string> {
  await home.write("home/.omp/agent/models.yml", MODELS);
  const lines = commands.map((message, id) =>
    JSON.stringify({ id: `${id}`, type: "prompt", message }) + "\n"
  );
  const flags = ["--no-session", "--no-title", "--no-lsp", "--no-extensions", "--no-skills"];
  const { stdout } = await run(["--mode", "rpc", "--model", "none/none", ...flags], {
    stdin: lines.join(""),
  });
  const answers = stdout.split("\n").filter((line) => line.includes('"command_output"'));
  return answers.map((line) => (JSON.parse(line) as { readonly text: string }).text).join("\n");
}

hostTest("what oh-my-pi's own command adds is read as it was meant", AGENT, async (host) => {
  const answer = await slash(
    host,
    "/mcp add mine --scope user -- tool --in x",
    "/mcp add web --scope user --url https://h.invalid/m --token made-up",
    "/mcp add old --url https://h.invalid/s --transport sse",
    "/mcp add ours -- tool x",
  );
  assert.equal(answer.match(/Added MCP server/g)?.length, 4, answer);
  const user = { source: "oh-my-pi", scope: "user" };
  const project = { source: "oh-my-pi", scope: "project" };
  const headers = { Authorization: "Bearer made-up" };
  assert.deepEqual(await host.found(), [
    { name: "mine", ...user, type: "stdio", command: "tool", args: ["--in", "x"] },
    { name: "old", ...project, type: "sse", url: "https://h.invalid/s" },
    { name: "ours", ...project, type: "stdio", command: "tool", args: ["x"] },
    { name: "web", ...user, type: "streamable_http", url: "https://h.invalid/m", headers },
  ]);
});

hostTest("what oh-my-pi lists of a written file is what is found", AGENT, async (host) => {
  await host.home.write("home/.omp/agent/mcp.json", {
    mcpServers: {
      mine: { command: "tool", args: ["a b"], env: { A: "1" } },
      web: { type: "http", url: "https://h.invalid/m", headers: { "X-Api-Key": "made up" } },
    },
  });
  const listed = (await slash(host, "/mcp list")).split("\n").toSorted();
  assert.deepEqual(listed, [
    "mine | stdio | enabled | tool [user]",
    "web | http | enabled | https://h.invalid/m [user]",
  ]);
  const user = { source: "oh-my-pi", scope: "user" };
  const headers = { "X-Api-Key": "made up" };
  assert.deepEqual(await host.found(), [
    { name: "mine", ...user, type: "stdio", command: "tool", args: ["a b"], env: { A: "1" } },
    { name: "web", ...user, type: "streamable_http", url: "https://h.invalid/m", headers },
  ]);
});

/** How transports are called in the list. */
const TYPES = { stdio: "stdio", sse: "sse", "streamable_http": "http" };

exportTest(AGENT, {
  to: "oh-my-pi",
  file: "home/.omp/agent/mcp.json",
  before: `{
\t"mcpServers": {
    "kept": { "command":"kept" }
  },
  "other":   true
}
`,
  more: {
    full: { command: "tool", cwd: "/", startupTimeout: 5000, callTimeout: 7000 },
  },
  async list(host): Promise<readonly Listed[]> {
    const lines = (await slash(host, "/mcp list")).split("\n").map((line) => line.split(" | "));
    return lines.map(([name = "", type, state, target = ""]) => (
      { name, target: `${type} ${target.replace(/ \[user\]$/, "")}`, on: state === "enabled" }
    ));
  },
  // It tells the program without its arguments.
  shown: ({ type = "stdio", command, url }) => `${TYPES[type]} ${url ?? command}`,
});

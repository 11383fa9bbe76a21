import assert from "node:assert/strict";
import { commandLine, exportTest, type Listed } from "./export_test_case.ts";
import { hostTest } from "./host_test_case.ts";
import { CLAUDE_CODE as AGENT } from "./known_agents.ts";

hostTest("what Claude Code's own command adds is read as it was meant", AGENT, async (host) => {
  const key = ["-H", "X-Api-Key: made up"];
  await host.run(["mcp", "add", "mine", "-e", "A=x=y", "-e", "B=b c", "--", "tool", "--in", "a b"]);
  await host.run(["mcp", "add", "-s", "user", "-t", "http", "web", "https://h.invalid/m", ...key]);
  await host.run(["mcp", "add", "-s", "user", "-t", "sse", "old", "https://h.invalid/s", ...key]);
  await host.run(["mcp", "add", "-s", "project", "ours", "-e", "A=1", "--", "tool", "x"]);
  await host.run(["mcp", "add", "-s", "project", "-t", "http", "wide", "https://h.invalid/w"]);
  const headers = { "X-Api-Key": "made up" };
  const mine = { name: "mine", source: "claude-code", scope: "local", type: "stdio" };
  const web = { name: "web", source: "claude-code", scope: "user", type: "streamable_http" };
  const old = { name: "old", source: "claude-code", scope: "user", type: "sse" };
  const ours = { name: "ours", source: "mcp-json", scope: "project", type: "stdio" };
  const wide = { name: "wide", source: "mcp-json", scope: "project", type: "streamable_http" };
  assert.deepEqual(await host.found(), [
    { ...mine, command: "tool", args: ["--in", "a b"], env: { A: "x=y", B: "b c" } },
    { ...old, url: "https://h.invalid/s", headers },
    { ...ours, command: "tool", args: ["x"], env: { A: "1" } },
    { ...web, url: "https://h.invalid/m", headers },
    { ...wide, url: "https://h.invalid/w" },
  ]);
});

/** What follows a server of each transport in the list. */
const MARKS = { stdio: "", sse: " (SSE)", "streamable_http": " (HTTP)" };

exportTest(AGENT, {
  to: "claude-code",
  file: "home/.claude.json",
  before: `{
  "numStartups": 3,
  "mcpServers": {
    "kept": { "command":"kept" }
  },
  "userID":   "made up"
}
`,
  more: {
    full: { command: "tool", callTimeout: 7000 },
    placed: { command: "tool", cwd: "/" },
  },
  refused: ["placed"],
  restless: true,
  starts: true,
  async list({ run }): Promise<readonly Listed[]> {
    const { stdout } = await run(["mcp", "list"]);
    const lines = stdout.matchAll(/^(\w+): (.*?) *- (✘|⊘) /gm);
    return [...lines].map(([, name = "", target = "", sign]) => ({
      name,
      target,
      on: sign !== "⊘",
    }));
  },
  shown: (config) => `${commandLine(config)}${MARKS[config.type ?? "stdio"]}`,
  async details({ run }): Promise<void> {
    // One after the other: the end of a run ends whatever else runs in the home.
    const local = await run(["mcp", "get", "local"]);
    const web = await run(["mcp", "get", "web"]);
    assert.match(local.stdout, /^ +LITERAL=C\$5 .*\n +MADE_UP=\$\{MADE_UP\}$/m);
    assert.match(
      web.stdout,
      /^ +X-Api-Key: made up\n +Authorization: Bearer \$\{MADE_UP\}$/m,
    );
  },
});

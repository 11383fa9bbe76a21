import assert from "node:assert/strict";
import { commandLine, exportTest, type Listed } from "./export_test_case.ts";
import { hostTest } from "./host_test_case.ts";
import { GEMINI_CLI as AGENT } from "./known_agents.ts";

hostTest("what Gemini CLI's own command adds is read as it was meant", AGENT, async (host) => {
  const add = (...args: readonly string[]): Promise<unknown> => host.run(["mcp", "add", ...args]);
  const key = ["-H", "X-Api-Key: made up"];
  await add("mine", "-s", "user", "tool", "-e", "A=x", "-e", "B=b c", "--", "--in", "a b");
  await add("web", "-s", "user", "-t", "http", "https://h.invalid/m", ...key);
  await add("ours", "tool", "x", "-e", "A=1");
  await add("old", "-t", "sse", "https://h.invalid/s", ...key);
  const headers = { "X-Api-Key": "made up" };
  const user = { source: "gemini-cli", scope: "user" };
  const project = { source: "gemini-cli", scope: "project" };
  assert.deepEqual(await host.found(), [
    {
      name: "mine",
      ...user,
      type: "stdio",
      command: "tool",
      args: ["--in", "a b"],
      env: { A: "x", B: "b c" },
    },
    { name: "old", ...project, type: "sse", url: "https://h.invalid/s", headers },
    { name: "ours", ...project, type: "stdio", command: "tool", args: ["x"], env: { A: "1" } },
    { name: "web", ...user, type: "streamable_http", url: "https://h.invalid/m", headers },
  ]);
});

/** How transports are called in the list. */
const TYPES = { stdio: "stdio", sse: "sse", "streamable_http": "http" };

exportTest(AGENT, {
  to: "gemini-cli",
  file: "home/.gemini/settings.json",
  before: `{
  // Made by hand.
  "ui": { "theme":   "GitHub" },
\t"mcpServers": {
    "kept": { "command":"kept" }
    /* The last. */
  },
  "mcp": {
    "serverCommand": ""
  }
}
`,
  more: {
    full: {
      command: "tool",
      cwd: "/",
      startupTimeout: 5000,
      callTimeout: 7000,
      enabledTools: ["a", "b"],
      disabledTools: ["b"],
      description: "Made up",
    },
  },
  starts: true,
  async list({ run }): Promise<readonly Listed[]> {
    // It lists on stderr.
    const { stderr } = await run(["mcp", "list"]);
    const lines = stderr.matchAll(/^(\S) (\w+): (.*?) *\((stdio|sse|http)\) - /gm);
    return [...lines].map(([, sign, name = "", target, type]) => (
      { name, target: `${target} (${type})`, on: sign !== "⛔" }
    ));
  },
  shown: (config) => `${commandLine(config)} (${TYPES[config.type ?? "stdio"]})`,
});

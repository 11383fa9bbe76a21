import assert from "node:assert/strict";
import { commandLine, exportTest, type Listed } from "./export_test_case.ts";
import { hostTest } from "./host_test_case.ts";
import { QWEN_CODE as AGENT } from "./known_agents.ts";

hostTest("what Qwen Code's own command adds is read as it was meant", AGENT, async (host) => {
  const add = (...args: readonly string[]): Promise<unknown> => host.run(["mcp", "add", ...args]);
  const key = ["-H", "X-Api-Key: made up"];
  await add("mine", "tool", "-e", "A=x=y", "-e", "B=b c", "--", "--in", "a b");
  await add("web", "-t", "http", "https://h.invalid/m", ...key);
  await add("ours", "-s", "project", "tool", "x", "-e", "A=1");
  await add("old", "-s", "project", "-t", "sse", "https://h.invalid/s", ...key);
  const headers = { "X-Api-Key": "made up" };
  const user = { source: "qwen-code", scope: "user" };
  const project = { source: "qwen-code", scope: "project" };
  assert.deepEqual(await host.found(), [
    {
      name: "mine",
      ...user,
      type: "stdio",
      command: "tool",
      args: ["--in", "a b"],
      env: { A: "x=y", B: "b c" },
    },
    { name: "old", ...project, type: "sse", url: "https://h.invalid/s", headers },
    { name: "ours", ...project, type: "stdio", command: "tool", args: ["x"], env: { A: "1" } },
    { name: "web", ...user, type: "streamable_http", url: "https://h.invalid/m", headers },
  ]);
});

/** How transports are called in the list. */
const TYPES = { stdio: "stdio", sse: "sse", "streamable_http": "http" };

exportTest(AGENT, {
  to: "qwen-code",
  file: "home/.qwen/settings.json",
  before: `{
  "$version": 4,
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
    defaults: { command: "tool", env: { A: "${NOT_THERE:-b}" } },
  },
  refused: ["defaults"],
  starts: true,
  async list({ run }): Promise<readonly Listed[]> {
    // It tells nothing of what is switched off.
    const { stdout } = await run(["mcp", "list"]);
    const lines = stdout.matchAll(/^(\S) (\w+): (.*?) *\((stdio|sse|http)\) - /gm);
    return [...lines].map(([, , name = "", target, type]) => (
      { name, target: `${target} (${type})`, on: null }
    ));
  },
  shown: (config) => `${commandLine(config)} (${TYPES[config.type ?? "stdio"]})`,
});

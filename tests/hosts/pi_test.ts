import assert from "node:assert/strict";
import { ENV, exportTest, type Listed } from "./export_test_case.ts";
import { hostTest } from "./host_test_case.ts";
import { PI as AGENT } from "./known_agents.ts";
import { run } from "./run_agent.ts";

hostTest("what pi's own command adds is read as it was meant", AGENT, async (host) => {
  const key = ["--header", "X-Api-Key=made up"];
  await host.run(["mcp", "add", "mine", "--env", "A=x=y", "--", "tool", "--in", "a b"]);
  await host.run(["mcp", "add", "web", "--url", "https://h.invalid/m", ...key]);
  await host.run(["mcp", "add", "ours", "--local", "--env", "A=1", "--", "tool", "x"]);
  await host.run(["mcp", "add", "wide", "--local", "--url", "https://h.invalid/w"]);
  const user = { source: "pi", scope: "user" };
  const project = { source: "pi", scope: "project" };
  assert.deepEqual(await host.found(), [
    {
      name: "mine",
      ...user,
      type: "stdio",
      command: "tool",
      args: ["--in", "a b"],
      env: { A: "x=y" },
    },
    { name: "ours", ...project, type: "stdio", command: "tool", args: ["x"], env: { A: "1" } },
    {
      name: "web",
      ...user,
      type: "streamable_http",
      url: "https://h.invalid/m",
      headers: { "X-Api-Key": "made up" },
    },
    { name: "wide", ...project, type: "streamable_http", url: "https://h.invalid/w" },
  ]);
});

exportTest(AGENT, {
  to: "pi",
  file: "home/.pi/agent/mcp.json",
  before: `{
\t"mcpServers": {
    "kept": { "command":"kept" }
  },
  "autoEnableCodemode":   true
}
`,
  more: {
    full: {
      command: "tool",
      cwd: "/",
      startupTimeout: 5000,
      callTimeout: 7000,
      description: "Made up",
    },
    inside: { command: "tool", args: ["${MADE_UP}"] },
  },
  refused: ["old", "inside"],
  starts: true,
  async list({ home }): Promise<readonly Listed[]> {
    // It exits with 1, since none connects.
    const { stdout } = await run(AGENT, ["mcp", "list", "--json"], { home, env: ENV });
    const { servers, errors } = JSON.parse(stdout) as {
      readonly servers: readonly {
        readonly name: string;
        readonly transport: string;
        readonly enabled: boolean;
      }[];
      readonly errors: readonly string[];
    };
    assert.deepEqual(errors, []);
    return servers.map(({ name, transport, enabled }) => ({
      name,
      target: transport,
      on: enabled,
    }));
  },
});

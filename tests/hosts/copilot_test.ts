import assert from "node:assert/strict";
import { ARGS, exportTest, type Listed, LITERAL } from "./export_test_case.ts";
import { hostTest } from "./host_test_case.ts";
import { COPILOT as AGENT } from "./known_agents.ts";

/** What `copilot mcp list --json` prints, in part. */
interface Listing {
  readonly mcpServers: Readonly<Record<string, ListedServer>>;
}

/** One server of it; `get` prints the same with all that its entry holds. */
interface ListedServer {
  readonly source: string;
  readonly enabled: boolean;
  readonly type?: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeout?: number;
  readonly tools?: readonly string[];
}

hostTest("what Copilot's own command adds is read as it was meant", AGENT, async (host) => {
  const key = ["--header", "X-Api-Key: made up"];
  await host.run(["mcp", "add", "mine", "--env", "A=x=y", "--", "tool", "--in", "a b"]);
  await host.run(["mcp", "add", "--transport", "http", ...key, "web", "https://h.invalid/m"]);
  await host.run(["mcp", "add", "--transport", "sse", ...key, "old", "https://h.invalid/s"]);
  const user = { source: "copilot-cli", scope: "user" };
  const headers = { "X-Api-Key": "made up" };
  assert.deepEqual(await host.found(), [
    {
      name: "mine",
      ...user,
      type: "stdio",
      command: "tool",
      args: ["--in", "a b"],
      env: { A: "x=y" },
    },
    { name: "old", ...user, type: "sse", url: "https://h.invalid/s", headers },
    { name: "web", ...user, type: "streamable_http", url: "https://h.invalid/m", headers },
  ]);
});

hostTest("what Copilot lists of a workspace is what is found", AGENT, async (host) => {
  const { home } = host;
  await home.write("home/.copilot/config.json", { trustedFolders: [home.project] });
  const tool = { command: "tool", args: ["x"], env: { A: "1" } };
  await home.write("project/.github/mcp.json", {
    mcpServers: { ours: { type: "local", ...tool, tools: ["*"] } },
  });
  const { stdout } = await host.run(["mcp", "list", "--json"]);
  const { mcpServers } = JSON.parse(stdout) as Listing;
  assert.equal(mcpServers["ours"]?.source, "workspace", stdout);
  assert.deepEqual(await host.found(), [
    { name: "ours", source: "copilot-cli", scope: "project", type: "stdio", ...tool },
  ]);
});

exportTest(AGENT, {
  to: "copilot-cli",
  file: "home/.copilot/mcp-config.json",
  before: `{
\t"mcpServers": {
    "kept": { "command":"kept" }
  },
  "other":   true
}
`,
  more: {
    full: {
      command: "tool",
      cwd: "/",
      callTimeout: 7000,
      enabledTools: ["a", "b"],
      disabledTools: ["b"],
    },
  },
  switches: false,
  async list({ run }): Promise<readonly Listed[]> {
    const { stdout } = await run(["mcp", "list", "--json"]);
    return Object.entries((JSON.parse(stdout) as Listing).mcpServers)
      .map(([name, { command, args = [], url, enabled }]) => (
        { name, target: url ?? [command, ...args].join(" "), on: enabled }
      ));
  },
  async details({ run }): Promise<void> {
    const entry = async (name: string): Promise<ListedServer | undefined> => {
      const { stdout } = await run(["mcp", "get", name, "--json", "--show-secrets"]);
      return (JSON.parse(stdout) as Listing["mcpServers"])[name];
    };
    // One after the other: the end of a run ends whatever else runs in the home.
    const [local, web, full] = [await entry("local"), await entry("web"), await entry("full")];
    assert.deepEqual([local?.type, local?.args, local?.tools], ["local", ARGS, ["*"]]);
    assert.deepEqual(local?.env, { LITERAL, MADE_UP: "${MADE_UP}" });
    assert.equal(web?.type, "http");
    assert.deepEqual(web?.headers, {
      "X-Api-Key": "made up",
      "Authorization": "Bearer ${MADE_UP}",
    });
    assert.deepEqual([full?.cwd, full?.timeout, full?.tools], ["/", 7000, ["a", "b"]]);
  },
});

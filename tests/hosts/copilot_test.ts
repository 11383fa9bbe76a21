import assert from "node:assert/strict";
import { type Agent, forThisMachine } from "./agents.ts";
import { fromRepository } from "../harness/repository.ts";
import { hostTest } from "./host_test_case.ts";

const VERSION = "1.0.102";
const PACKAGE = forThisMachine("@github/copilot");

/** Copilot's program for the terminal. */
const AGENT: Agent = {
  name: "copilot",
  version: VERSION,
  packages: [`${PACKAGE}@${VERSION}`],
  command: [`${PACKAGE}/copilot`],
  env: {
    COPILOT_AUTO_UPDATE: "false",
    COPILOT_OFFLINE: "true",
    // It unpacks itself at its first start; once for all homes is enough.
    COPILOT_PKG_CACHE_HOME: fromRepository(`dist/agents/copilot-${VERSION}/unpacked`),
  },
};

/** What `copilot mcp list --json` prints, in part. */
interface Listed {
  readonly mcpServers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
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
  const { mcpServers } = JSON.parse(stdout) as Listed;
  assert.equal(mcpServers["ours"]?.["source"], "workspace", stdout);
  assert.deepEqual(await host.found(), [
    { name: "ours", source: "copilot-cli", scope: "project", type: "stdio", ...tool },
  ]);
});

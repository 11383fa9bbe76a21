import assert from "node:assert/strict";
import { type Agent, forThisMachine, rustTarget } from "./agents.ts";
import { hostTest } from "./host_test_case.ts";

const VERSION = "0.171.0";

/** Codex. */
const AGENT: Agent = {
  name: "codex",
  version: VERSION,
  // Each machine's program is a version of its own.
  packages: [forThisMachine(`@openai/codex@${VERSION}`)],
  command: [`@openai/codex/vendor/${rustTarget()}/bin/codex`],
};

/** A server as `codex mcp list --json` has it, in part. */
interface ListedServer {
  readonly name: string;
  readonly enabled: boolean;
  readonly transport: Readonly<Record<string, unknown>>;
}

hostTest("what Codex's own command adds is read as it was meant", AGENT, async (host) => {
  const { home } = host;
  await Deno.mkdir(`${home.home}/.codex`);
  await host.run(["mcp", "add", "mine", "--env", "A=x=y", "--", "tool", "--in", "a b"]);
  const token = ["--bearer-token-env-var", "MADE_UP"];
  await host.run(["mcp", "add", "web", "--url", "https://h.invalid/m", ...token]);
  const user = { source: "codex", scope: "user" };
  assert.deepEqual(await host.found(), [
    {
      name: "mine",
      ...user,
      type: "stdio",
      command: "tool",
      args: ["--in", "a b"],
      env: { A: "x=y" },
    },
    {
      name: "web",
      ...user,
      type: "streamable_http",
      url: "https://h.invalid/m",
      headers: { Authorization: "Bearer ${env:MADE_UP}" },
    },
  ]);
});

hostTest("what Codex lists of user and project is what is found", AGENT, async (host) => {
  const { home } = host;
  await home.write(
    "home/.codex/config.toml",
    `[projects.${JSON.stringify(home.project)}]
trust_level = "trusted"

[mcp_servers.web]
url = "https://h.invalid/m" # not in any project
http_headers = { "X-Api-Key" = "made up" }
`,
  );
  await home.write(
    "project/.codex/config.toml",
    `mcp_servers.ours = { command = 'tool', args = ["a b", '\${HOME}'], env.A = "1" }
`,
  );
  const listed = JSON.parse((await host.run(["mcp", "list", "--json"])).stdout) as ListedServer[];
  assert.deepEqual(listed.map(({ name, enabled }) => [name, enabled]), [
    ["ours", true],
    ["web", true],
  ]);
  const found = await host.found();
  assert.deepEqual(found.map(({ name, source, scope }) => [name, source, scope]), [
    ["ours", "codex", "project"],
    ["web", "codex", "user"],
  ]);
  const [ours, web] = [listed[0]?.transport ?? {}, listed[1]?.transport ?? {}];
  assert.equal(found[0]?.command, ours["command"]);
  assert.equal(found[0]?.args?.[0], (ours["args"] as readonly string[])[0]);
  assert.deepEqual(found[0]?.env, ours["env"]);
  assert.equal(found[1]?.url, web["url"]);
  assert.deepEqual(found[1]?.headers, web["http_headers"]);
});

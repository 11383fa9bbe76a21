import assert from "node:assert/strict";
import { ARGS, exportTest, type Listed, LITERAL } from "./export_test_case.ts";
import { type Host, hostTest } from "./host_test_case.ts";
import { CODEX as AGENT } from "./known_agents.ts";

/** A server as `codex mcp list --json` has it, in part. */
interface ListedServer {
  readonly name: string;
  readonly enabled: boolean;
  readonly transport: {
    readonly command?: string;
    readonly args?: readonly string[];
    readonly env?: Readonly<Record<string, string>> | null;
    readonly "env_vars"?: readonly string[];
    readonly cwd?: string | null;
    readonly url?: string;
    readonly "bearer_token_env_var"?: string | null;
    readonly "http_headers"?: Readonly<Record<string, string>> | null;
  };
  readonly "startup_timeout_sec": number | null;
  readonly "tool_timeout_sec": number | null;
}

async function listed({ run }: Host): Promise<readonly ListedServer[]> {
  return JSON.parse((await run(["mcp", "list", "--json"])).stdout) as readonly ListedServer[];
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
  const servers = await listed(host);
  assert.deepEqual(servers.map(({ name, enabled }) => [name, enabled]), [
    ["ours", true],
    ["web", true],
  ]);
  const found = await host.found();
  assert.deepEqual(found.map(({ name, source, scope }) => [name, source, scope]), [
    ["ours", "codex", "project"],
    ["web", "codex", "user"],
  ]);
  const [ours, web] = servers.map(({ transport }) => transport);
  assert.equal(found[0]?.command, ours?.command);
  assert.equal(found[0]?.args?.[0], ours?.args?.[0]);
  assert.deepEqual(found[0]?.env, ours?.env);
  assert.equal(found[1]?.url, web?.url);
  assert.deepEqual(found[1]?.headers, web?.http_headers);
});

exportTest(AGENT, {
  to: "codex",
  file: "home/.codex/config.toml",
  before: `# Made by hand.
model   = "gpt-5" # and this

[mcp_servers.kept]
command='kept'

[tui]
notifications = true # the last
`,
  more: {
    full: {
      command: "tool",
      cwd: "/",
      startupTimeout: 5000,
      callTimeout: 7500,
      enabledTools: ["a", "b"],
      disabledTools: ["b"],
    },
    inside: { command: "tool", args: ["${MADE_UP}"] },
  },
  refused: ["old", "inside"],
  async list(host): Promise<readonly Listed[]> {
    return (await listed(host)).map(({ name, enabled, transport: { command, args, url } }) => (
      { name, target: url ?? [command, ...args ?? []].join(" "), on: enabled }
    ));
  },
  async details(host): Promise<void> {
    const [full, , local, , web] = await listed(host);
    assert.equal(full?.transport.cwd, "/");
    assert.deepEqual([full?.startup_timeout_sec, full?.tool_timeout_sec], [5, 7.5]);
    assert.deepEqual(local?.transport.args, ARGS);
    assert.deepEqual(local?.transport.env, { LITERAL });
    assert.deepEqual(local?.transport.env_vars, ["MADE_UP"]);
    assert.equal(web?.transport.bearer_token_env_var, "MADE_UP");
    assert.deepEqual(web?.transport.http_headers, { "X-Api-Key": "made up" });
  },
});

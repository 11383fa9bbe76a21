import assert from "node:assert/strict";
import type { Agent } from "./agents.ts";
import { ARGS, exportTest, type Listed, LITERAL } from "./export_test_case.ts";
import { type Host, hostTest } from "./host_test_case.ts";

const VERSION = "0.12.3";

/** mcporter. */
const AGENT: Agent = {
  name: "mcporter",
  version: VERSION,
  packages: [`mcporter@${VERSION}`],
  command: ["node", "mcporter/dist/cli.js"],
  // It brings a bundler for a command that is not used here.
  lean: true,
};

hostTest("what mcporter's own command adds is read as it was meant", AGENT, async (host) => {
  const add = (...args: readonly string[]): Promise<unknown> =>
    host.run(["config", "add", ...args]);
  const key = ["--header", "X-Api-Key=made up"];
  await add("mine", "--scope", "home", "--command", "tool", "--arg", "a b", "--env", "A=x=y");
  await add("web", "https://h.invalid/m", "--scope", "home", ...key);
  await add("ours", "--command", "tool", "--arg", "x", "--env", "A=1");
  await add("wide", "https://h.invalid/w", ...key);
  const user = { source: "mcporter", scope: "user" };
  const project = { source: "mcporter", scope: "project" };
  const headers = { "X-Api-Key": "made up" };
  assert.deepEqual(await host.found(), [
    { name: "mine", ...user, type: "stdio", command: "tool", args: ["a b"], env: { A: "x=y" } },
    { name: "ours", ...project, type: "stdio", command: "tool", args: ["x"], env: { A: "1" } },
    { name: "web", ...user, type: "streamable_http", url: "https://h.invalid/m", headers },
    { name: "wide", ...project, type: "streamable_http", url: "https://h.invalid/w", headers },
  ]);
});

/** A server as `mcporter config list --json` has it, in part. */
interface ListedServer {
  readonly name: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly baseUrl?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly allowedTools?: readonly string[];
}

async function listed({ run }: Host): Promise<readonly ListedServer[]> {
  const { stdout } = await run(["config", "list", "--json"]);
  return (JSON.parse(stdout) as { readonly servers: readonly ListedServer[] }).servers;
}

exportTest(AGENT, {
  to: "mcporter",
  file: "home/.config/mcporter/mcporter.json",
  before: `{
  // Made by hand.
\t"mcpServers": {
    "kept": { "command":"kept" }
  },
  "imports":   []
}
`,
  more: {
    full: { command: "tool", cwd: "/", enabledTools: ["a", "b"], description: "Made up" },
  },
  refused: ["old"],
  switches: false,
  async list(host): Promise<readonly Listed[]> {
    return (await listed(host)).map(({ name, command, args, baseUrl }) => (
      { name, target: baseUrl ?? [command, ...args ?? []].join(" "), on: null }
    ));
  },
  async details(host): Promise<void> {
    const servers = new Map((await listed(host)).map((server) => [server.name, server]));
    const [local, web, full] = ["local", "web", "full"].map((name) => servers.get(name));
    assert.deepEqual(local?.args, ARGS);
    assert.deepEqual(local?.env, { LITERAL, MADE_UP: "${MADE_UP}" });
    assert.equal(web?.headers?.["X-Api-Key"], "made up");
    assert.equal(web?.headers?.["Authorization"], "Bearer ${MADE_UP}");
    assert.deepEqual([full?.cwd, full?.allowedTools], ["/", ["a", "b"]]);
  },
});

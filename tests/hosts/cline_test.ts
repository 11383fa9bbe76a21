import assert from "node:assert/strict";
import { ARGS, exportTest, type Listed } from "./export_test_case.ts";
import { hostTest } from "./host_test_case.ts";
import { CLINE as AGENT } from "./known_agents.ts";

/** A server as `cline config mcp --json` has it, in part. */
interface ListedServer {
  readonly name: string;
  readonly transportType: string;
  readonly disabled?: boolean;
}

/** Cline's words for the transports. */
const WORDS = { stdio: "stdio", sse: "sse", "streamable_http": "streamableHttp" };

hostTest("what Cline's own command adds is read as it was meant", AGENT, async (host) => {
  const add = (...args: readonly string[]): Promise<unknown> =>
    host.run(["mcp", "add", ...args.slice(0, 1), "--yes", ...args.slice(1)]);
  const key = ["--header", "X-Api-Key: made up"];
  await add("mine", "--", "tool", "--in", "a b");
  await add("web", "--transport", "http", ...key, "https://h.invalid/m");
  await add("old", "--transport", "sse", ...key, "https://h.invalid/s");
  const user = { source: "cline", scope: "user" };
  const headers = { "X-Api-Key": "made up" };
  assert.deepEqual(await host.found(), [
    { name: "mine", ...user, type: "stdio", command: "tool", args: ["--in", "a b"] },
    { name: "old", ...user, type: "sse", url: "https://h.invalid/s", headers },
    { name: "web", ...user, type: "streamable_http", url: "https://h.invalid/m", headers },
  ]);
});

hostTest("what Cline lists of the older forms is what is found", AGENT, async (host) => {
  await host.home.write("home/.cline/data/settings/cline_mcp_settings.json", {
    mcpServers: {
      flat: { command: "tool", args: ["x"], env: { A: "1" }, timeout: 30, autoApprove: ["t"] },
      bare: { url: "https://h.invalid/b" },
      legacy: { transportType: "http", url: "https://h.invalid/l" },
      nested: { transport: { type: "stdio", command: "tool", env: { B: "2" } } },
    },
  });
  const { stdout } = await host.run(["config", "mcp", "--json"]);
  const listed = new Map(
    (JSON.parse(stdout) as readonly ListedServer[])
      .map(({ name, transportType }) => [name, transportType]),
  );
  const found = await host.found();
  assert.deepEqual(found.map(({ name, source }) => [name, source]), [
    ["bare", "cline"],
    ["flat", "cline"],
    ["legacy", "cline"],
    ["nested", "cline"],
  ]);
  assert.deepEqual(
    found.map(({ name, type }) => [name, WORDS[type]]),
    [...listed].toSorted(([a], [b]) => a < b ? -1 : 1),
  );
  assert.deepEqual(found.map(({ env }) => env), [undefined, { A: "1" }, undefined, { B: "2" }]);
});

exportTest(AGENT, {
  to: "cline",
  file: "home/.cline/data/settings/cline_mcp_settings.json",
  before: `{
\t"mcpServers": {
    "kept": { "transport": { "type":"stdio", "command":"kept" } }
  },
  "other":   true
}
`,
  more: {
    full: { command: "tool", cwd: "/", callTimeout: 7000, autoApprove: ["a"] },
    local: { command: "tool", args: ARGS, env: { A: "x=y" } },
    web: { type: "streamable_http", url: "http://127.0.0.1:9/m", headers: { A: "made up" } },
    // Its program knows no variables.
    varied: { command: "tool", env: { MADE_UP: "${MADE_UP}" } },
  },
  refused: ["varied"],
  async list({ run }): Promise<readonly Listed[]> {
    const { stdout } = await run(["config", "mcp", "--json"]);
    return (JSON.parse(stdout) as readonly ListedServer[]).map((server) => (
      { name: server.name, target: server.transportType, on: !server.disabled }
    ));
  },
  shown: ({ type = "stdio" }) => WORDS[type],
});

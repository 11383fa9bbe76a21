import assert from "node:assert/strict";
import { join } from "node:path";
import { until } from "../../harness/until.ts";
import { Served } from "../../gateway/http/served.ts";
import { LIMIT_MS } from "./agent_process.ts";
import { CLAUDE_CODE_DRIVER } from "./drivers/claude_code.ts";
import { CODEX_DRIVER } from "./drivers/codex.ts";
import type { HostDriver } from "./host_driver.ts";
import { ALL_HOSTS, type Lab, labServer, labTest, toolEnds } from "./lab_test_case.ts";

const EVERY = ["alpha", "beta", "gamma"];

/** A host whose only entry is the address of a gateway, with a header. */
function overHttpTest(
  driver: HostDriver,
  enter: (lab: Lab, served: Served) => Promise<void>,
  possible: boolean = true,
): void {
  labTest("calls and refreshes tools of a gateway over HTTP", driver, async (lab) => {
    const file = join(lab.home.root, "tools");
    const mcpServers = { lab: labServer("lab", ["alpha", "beta"], file) };
    await lab.home.write("home/.omp/mcp.json", { mcpServers });
    await using served = await Served.start(lab.home);
    await enter(lab, served);
    const { turn, host } = await lab.start();
    await until(async () => toolEnds((await turn())[0], ["alpha"]).length > 0, LIMIT_MS);
    const [first, second] = await turn({ tool: "alpha", args: { text: "hello" } });
    assert.deepEqual(toolEnds(first, EVERY), ["alpha", "beta"], `${first?.tools}`);
    assert.match(`${second?.results}`, /alpha of lab, process \d+: hello/);
    await Deno.writeTextFile(file, "alpha,gamma");
    await until(async () => toolEnds((await turn())[0], ["gamma"]).length > 0, LIMIT_MS);
    await host.close();
  }, possible);
}

overHttpTest(CLAUDE_CODE_DRIVER, async ({ home }, { url, token }) => {
  const headers = { Authorization: `Bearer ${token}` };
  const hotplug = { type: "http", url, headers, alwaysLoad: true };
  await home.write("home/.claude.json", { mcpServers: { hotplug } });
});

overHttpTest(CODEX_DRIVER, async ({ home }, { url, token }) => {
  const path = join(home.home, ".codex/config.toml");
  const more = `[features]
mcp_tool_list_changed = true

[mcp_servers.hotplug]
url = "${url}"
http_headers = { Authorization = "Bearer ${token}" }
`;
  await Deno.writeTextFile(path, `${await Deno.readTextFile(path)}\n${more}`);
}, ALL_HOSTS);

import assert from "node:assert/strict";
import { join } from "node:path";
import { until } from "../../harness/until.ts";
import { LIMIT_MS } from "./agent_process.ts";
import type { HostDriver } from "./host_driver.ts";
import { DRIVEN, DRIVEN_ON_DEMAND } from "./hosts.ts";
import { ALL_HOSTS, labServer, labTest, toolEnds } from "./lab_test_case.ts";

/** What the server offers before and after. */
const TOOLS = { before: ["alpha", "beta"], after: ["alpha", "gamma"] };
const EVERY = ["alpha", "beta", "gamma"];

/**
 * A host with an MCP server of its own user's, without Hotplug: shows that the driver and the
 * scripted model do what the tests of hook files build upon, and what the host honours. By hand, for
 * those tests see it, too, when a driver fails.
 */
function ownServerTest(driver: HostDriver): void {
  const { enter, habits } = driver;
  if (enter === null) return;
  const refreshes = habits.listChanged === "refreshes";
  const name = refreshes ? "calls and refreshes tools" : "calls tools and keeps old ones";
  labTest(`${name} of a server of its own`, driver, async (lab) => {
    const file = join(lab.home.root, "tools");
    await enter(lab, labServer("lab", TOOLS.before, file));
    const { turn } = await lab.start();
    if (habits.late) {
      await until(async () => toolEnds((await turn())[0], ["alpha"]).length > 0, LIMIT_MS);
    }
    const [first, second] = await turn({ tool: "alpha", args: { text: "hello" } });
    assert.deepEqual(toolEnds(first, EVERY), TOOLS.before, `${first?.tools}`);
    assert.match(`${second?.results}`, /alpha of lab, process \d+: hello/);
    await Deno.writeTextFile(file, TOOLS.after.join(","));
    if (!refreshes) {
      const [kept] = await turn();
      assert.deepEqual(toolEnds(kept, EVERY), TOOLS.before);
      return;
    }
    await until(async () => toolEnds((await turn())[0], ["gamma"]).length > 0, LIMIT_MS);
    const [latest, called] = await turn({ tool: "gamma" }, { tool: "beta" });
    assert.deepEqual(toolEnds(latest, EVERY), habits.forgets ? TOOLS.after : EVERY);
    assert.match(`${called?.results}`, /gamma of lab/);
  }, ALL_HOSTS);
}

for (const driver of [...DRIVEN, ...DRIVEN_ON_DEMAND]) ownServerTest(driver);

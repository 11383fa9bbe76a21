import assert from "node:assert/strict";
import { join } from "node:path";
import { until } from "../connection/harness.ts";
import { trap } from "../harness/servers.ts";
import { factsOf } from "../../src/platform/local_files.ts";
import { inHome, withManager } from "./running_manager.ts";

withManager("a server works on after its answer while its manager is open [B18]", async (world) => {
  const file = join(world.root, "done");
  const manager = world.manager({ toolCache: null });
  await manager.connectServers(inHome(world, { it: trap("background", file) }));
  const { content } = await manager.callTool("it", "go", {});
  assert.deepEqual(content, [{ type: "text", text: "started" }]);
  assert.equal(factsOf(file), null);
  await until(() => factsOf(file) !== null, "the work in the background");
});

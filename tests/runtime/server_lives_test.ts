import assert from "node:assert/strict";
import { managerParts } from "../../src/runtime/manager_parts.ts";
import { trap } from "../harness/servers.ts";
import { withManager } from "./running_manager.ts";

withManager("of a server that is forgotten nothing is kept, its secrets neither", async (world) => {
  const { lives, context, checks } = managerParts({ machine: world.machine });
  const config = { cwd: world.home, ...trap("good"), env: { TOKEN: "secret" } };
  await lives.begin({ name: "x", config, source: undefined }).done;
  assert.equal(lives.forget("x"), false);
  assert.ok(context.launches.get("x") !== undefined);
  await lives.end("x");
  await lives.settled();
  assert.equal(lives.forget("x"), true);
  assert.equal(lives.inputOf("x"), null);
  assert.equal(context.launches.get("x"), undefined);
  await Promise.all(checks.map((check) => check.stop()));
});

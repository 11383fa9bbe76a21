import assert from "node:assert/strict";
import process from "node:process";
import { trap } from "../harness/servers.ts";
import { until } from "../harness/until.ts";
import { inHome, withManager } from "./running_manager.ts";

withManager(
  "a call's own time-out counts while a server that nothing is known of starts",
  async (world) => {
    const manager = world.manager({ onMissingCache: "late", gateMs: 1 });
    await manager.connectServers(inHome(world, { x: trap("hang") }));
    await assert.rejects(
      manager.callTool("x", "echo", {}, { timeout: 200 }),
      { code: "request-timeout" },
    );
  },
);

withManager("a remembered tool's own time-out counts while its server starts", async (world) => {
  const configs = inHome(world, { x: trap("slow", "1500") });
  const first = world.manager();
  await first.connectServers(configs);
  await first.disconnectAll();
  const manager = world.manager({ gateMs: 1 });
  const { tools } = await manager.connectServers(configs);
  const result = await tools[0]?.execute({ text: "x" }, { timeout: 200 });
  assert.match(JSON.stringify(result?.content), /not connected within 0\.2 s/);
});

withManager("a call that is aborted before it begins wakes no server", async (world) => {
  const manager = world.manager({ random: () => 1 });
  await manager.connectServers(inHome(world, { x: trap("pid") }));
  process.kill(manager.getConnection("x")?.pid ?? 0, "SIGKILL");
  const row = () => manager.getServers()[0];
  await until(() => row()?.state === "retrying");
  const next = row()?.nextAttemptAt;
  const signal = AbortSignal.abort();
  await assert.rejects(manager.callTool("x", "pid", {}, { signal }), { code: "aborted" });
  assert.ok(typeof next === "number");
  assert.equal(row()?.nextAttemptAt, next);
});

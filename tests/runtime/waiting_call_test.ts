import assert from "node:assert/strict";
import { good } from "../session/watching_manager.ts";
import { trap } from "../harness/servers.ts";
import { until } from "../harness/until.ts";
import { loadedFrom } from "./loaded_servers.ts";
import { withManager } from "./running_manager.ts";

withManager(
  "a call that waits for a server goes to the one that takes its place meanwhile",
  async (world) => {
    const manager = world.manager();
    await (await manager.reconcile(loadedFrom(world, { b: good("b") }))).settled;
    await manager.reconcile(loadedFrom(world, { a: trap("slow", "20000"), b: good("b") }));
    const call = manager.callTool("a", "echo", { text: "here" });
    const read = manager.waitForConnection("a");
    for (const work of [call, read]) work.catch(() => {});
    await until(() => manager.getConnectionStatus("a") === "connecting");
    await manager.reconcile(loadedFrom(world, { a: good("a"), b: good("b") }));
    assert.match(JSON.stringify((await call).content), /here/);
    assert.equal(await read, manager.getConnection("a"));
  },
);

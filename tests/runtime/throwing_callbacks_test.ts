import assert from "node:assert/strict";
import { until } from "../connection/harness.ts";
import { trap } from "../harness/servers.ts";
import { inHome, withManager } from "./running_manager.ts";

withManager("a close finishes although every callback of the host throws", async (world) => {
  const called = new Set<string>();
  const fail = (name: string) => (): never => {
    called.add(name);
    throw new Error("host");
  };
  const manager = world.manager({
    toolCache: null,
    onServer: fail("onServer"),
    onToolsChanged: fail("onToolsChanged"),
    onNotification: fail("onNotification"),
    log: { log: fail("log") },
  });
  const { connectedServers } = await manager.connectServers(inHome(world, {
    dead: trap("dead"),
    stubborn: trap("stubborn"),
    wrapped: trap("wrapper"),
    grows: trap("grows", "10"),
  }));
  assert.deepEqual(connectedServers, ["stubborn", "wrapped", "grows"]);
  const all = ["log", "onNotification", "onServer", "onToolsChanged"];
  await until(() => all.every((name) => called.has(name)), `calls of ${all}, not ${[...called]}`);
  const start = performance.now();
  await Promise.all([manager.disconnectAll(), manager[Symbol.asyncDispose]()]);
  await manager.disconnectAll();
  assert.ok(performance.now() - start < 4_000, "it took too long");
});

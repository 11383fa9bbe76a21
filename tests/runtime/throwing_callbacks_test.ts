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

withManager("what an async callback of the host rejects with is logged", async (world) => {
  const causes = new Set<unknown>();
  const reject = (name: string) => (): Promise<never> => Promise.reject(new Error(name));
  const manager = world.manager({
    toolCache: null,
    // Types allow them wherever nothing is returned.
    onServer: reject("onServer"),
    onToolsChanged: reject("onToolsChanged"),
    log: { log: (_level, _message, fields) => causes.add(fields?.["cause"]) },
  });
  const { connectedServers } = await manager.connectServers(inHome(world, { x: trap("good") }));
  assert.deepEqual(connectedServers, ["x"]);
  await until(() => causes.has("onServer") && causes.has("onToolsChanged"), "both are logged");
});

withManager("a companion that throws costs no server its start or its end", async (world) => {
  const messages: string[] = [];
  const fail = (): never => {
    throw new Error("companion");
  };
  const manager = world.manager({
    companions: [{ start: fail, stop: fail }],
    log: { log: (_level, message) => messages.push(message) },
  });
  const { connectedServers } = await manager.connectServers(inHome(world, { x: trap("good") }));
  assert.deepEqual(connectedServers, ["x"]);
  assert.ok(messages.includes("A callback of the host has thrown"));
  await manager.disconnectAll();
  assert.deepEqual(manager.getServers(), []);
});

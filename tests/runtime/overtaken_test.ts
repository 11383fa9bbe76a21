import assert from "node:assert/strict";
import { memoryToolCache } from "../../src/cache/memory_tool_cache.ts";
import { type Answer, withFake } from "../connection/fake_http.ts";
import { until } from "../harness/until.ts";
import { FakeClock } from "./fake_clock.ts";
import { withManager } from "./running_manager.ts";

/** What a test holds back until it says so. */
function heldBack(isIt: (method: string, rpc: string) => boolean): {
  readonly answer: Answer;
  readonly reached: () => boolean;
  readonly release: () => void;
} {
  const gate = Promise.withResolvers<void>();
  let reached = false;
  return {
    answer: ({ method, message }) => {
      if (!isIt(method, String(message["method"]))) return null;
      reached = true;
      // Without a body it is what the fake answers to anything else of that kind.
      return gate.promise.then(() =>
        new Response(null, { status: method === "DELETE" ? 200 : 503 })
      );
    },
    reached: () => reached,
    release: gate.resolve,
  };
}

async function codeOf(call: Promise<unknown>): Promise<string> {
  return await call.then(() => "none", (thrown) => String((thrown as { code: unknown }).code));
}

withManager("a server that comes up after the gate is asked about too", async (world) => {
  let isForbidden = false;
  let isDown = true;
  const clock = new FakeClock();
  await withFake(() => isDown ? new Response("down", { status: 503 }) : null, async (fake) => {
    const manager = world.manager({
      clock,
      random: () => 0.5,
      mayRun: () => isForbidden ? { code: "blocked-by-policy", message: "No", hint: null } : null,
    });
    const state = (): string => manager.getServers()[0]?.state ?? "";
    await manager.connectServers({ x: { url: fake.url } });
    assert.equal(state(), "retrying");
    // By then nothing is up, and what looks after servers has nothing to do.
    await clock.turn(499);
    isDown = false;
    await clock.turn(1);
    await until(() => state() === "connected");
    isForbidden = true;
    await clock.turn(2_000);
    await until(() => state() === "blocked");
  });
});

withManager("a start that is overtaken by the end of all leaves no timer", async (world) => {
  const clock = new FakeClock();
  const start = heldBack((_, rpc) => rpc === "server/discover" || rpc === "initialize");
  await withFake(start.answer, async (fake) => {
    const manager = world.manager({ clock });
    const connecting = manager.connectServers({ x: { url: fake.url } });
    await until(start.reached);
    const ended = manager.disconnectAll();
    start.release();
    await Promise.all([connecting, ended]);
    assert.equal(clock.waiting, 0);
    assert.deepEqual(manager.getServers(), []);
  });
});

withManager("a call whose server is ended before its tools are known says that", async (world) => {
  const list = heldBack((_, rpc) => rpc === "tools/list");
  await withFake(list.answer, async (fake) => {
    const manager = world.manager();
    const connecting = manager.connectServers({ x: { url: fake.url } });
    await until(list.reached);
    const call = manager.callTool("x", "t", {});
    await Promise.resolve();
    const ended = manager.disconnectServer("x");
    const code = await codeOf(call);
    list.release();
    await Promise.all([connecting, ended]);
    assert.equal(code, "not-connected");
  });
});

withManager("a start after a restart that was ended is not held back", async (world) => {
  await withFake(() => null, async (fake) => {
    const manager = world.manager({ clock: new FakeClock(), toolCache: memoryToolCache() });
    const configs = { x: { url: fake.url } };
    await manager.connectServers(configs);
    const restarted = assert.rejects(manager.restartServer("x"), { code: "not-connected" });
    await manager.disconnectServer("x");
    await restarted;
    void manager.connectServers(configs);
    // The clock stands: nothing may wait for it.
    await until(() => manager.getConnectionStatus("x") === "connected", 3_000);
  });
});

withManager("a restart that another one overtakes resolves with that one", async (world) => {
  await withFake(() => null, async (fake) => {
    const clock = new FakeClock();
    const manager = world.manager({ clock });
    await manager.connectServers({ x: { url: fake.url } });
    const restarts = [manager.restartServer("x"), manager.restartServer("x")];
    let ended = false;
    const both = Promise.all(restarts).finally(() => ended = true);
    await until(async () => {
      await clock.turn(100);
      return ended;
    });
    await both;
    assert.equal(manager.getConnectionStatus("x"), "connected");
  });
});

withManager("a call that is given up does not wait for the end of its server", async (world) => {
  let isForbidden = false;
  const goodbye = heldBack((method) => method === "DELETE");
  await withFake(goodbye.answer, async (fake) => {
    const manager = world.manager({
      mayRun: () => isForbidden ? { code: "blocked-by-policy", message: "No", hint: null } : null,
    });
    await manager.connectServers({ x: { url: fake.url } });
    isForbidden = true;
    const controller = new AbortController();
    const call = manager.callTool("x", "t", {}, { signal: controller.signal });
    await until(goodbye.reached);
    controller.abort();
    const code = await codeOf(call);
    goodbye.release();
    assert.equal(code, "aborted");
  }, { session: true });
});

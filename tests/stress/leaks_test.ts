import assert from "node:assert/strict";
import { withFake } from "../connection/fake_http.ts";
import { countedListeners } from "../harness/counted_listeners.ts";
import { trap } from "../harness/servers.ts";
import { inHome, withManager } from "../runtime/running_manager.ts";
import { again } from "./held.ts";

withManager("connecting and ending servers again and again holds nothing back", async (world) => {
  await withFake(() => null, async (fake) => {
    // A busy machine gets more time than hosts do.
    const manager = world.manager({ gateMs: 10_000 });
    const configs = inHome(world, {
      good: trap("good"),
      dead: trap("dead"),
      web: { url: fake.url },
      nowhere: { url: "http://127.0.0.1:9/mcp" },
    });
    await again("cycles", 200, async () => {
      fake.seen.length = 0;
      const { connectedServers } = await manager.connectServers(configs);
      assert.deepEqual(connectedServers, ["good", "web"]);
      await manager.callTool("good", "echo", { text: "x" });
      await manager.callTool("web", "t", {});
      await manager.disconnectAll();
    });
  }, { session: true });
});

withManager(
  "starts that fail or are given up, with one signal, hold nothing back",
  async (world) => {
    const { signal, listeners } = countedListeners();
    const configs = inHome(world, {
      dead: trap("dead"),
      slow: { ...trap("slow", "60000"), startupTimeout: 150 },
      missing: { command: "/nowhere/to-be-found" },
      refused: { url: "http://127.0.0.1:9/mcp" },
    });
    await again("failing starts", 200, async () => {
      const manager = world.manager({ toolCache: null });
      const { connectedServers } = await manager.connectServers(configs, {}, { signal });
      assert.deepEqual(connectedServers, []);
      await manager.disconnectAll();
      assert.equal(listeners(), 0, "listeners at the signal of starts that are over");
    });
  },
);

withManager("calls again and again with one signal hold nothing back", async (world) => {
  await withFake(() => null, async (fake) => {
    const manager = world.manager({ toolCache: null });
    await manager.connectServers(inHome(world, { good: trap("good"), web: { url: fake.url } }));
    const { signal, listeners } = countedListeners();
    await again("hundreds of calls", 400, async () => {
      fake.seen.length = 0;
      await Promise.all(
        Array.from({ length: 50 }, () => [
          manager.callTool("good", "echo", { text: "x" }, { signal }),
          manager.callTool("web", "t", {}, { signal }),
        ]).flat(),
      );
      assert.equal(listeners(), 0, "listeners at the signal of calls that are done");
    });
  }, { session: true });
});

withManager("calls that are given up hold nothing back", async (world) => {
  const waiting = (): Response =>
    new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode(": wait\n\n")),
      }),
      { headers: { "content-type": "text/event-stream" } },
    );
  await withFake(
    ({ message }) => message["method"] === "tools/call" ? waiting() : null,
    async (fake) => {
      const manager = world.manager({ toolCache: null });
      await manager.connectServers(inHome(world, { web: { url: fake.url } }));
      await again("aborted calls", 400, async () => {
        fake.seen.length = 0;
        const controller = new AbortController();
        const calls = Array.from(
          { length: 5 },
          () => manager.callTool("web", "t", {}, { signal: controller.signal }),
        );
        setTimeout(() => controller.abort(), 5);
        for (const { status } of await Promise.allSettled(calls)) assert.equal(status, "rejected");
      });
    },
  );
});

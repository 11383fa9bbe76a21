import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import v8 from "node:v8";
import vm from "node:vm";
import { withFake } from "../connection/fake_http.ts";
import { countedListeners } from "../harness/counted_listeners.ts";
import { trap } from "../harness/servers.ts";
import { inHome, withManager } from "../runtime/running_manager.ts";

/** `HOTPLUG_SOAK=1` runs these in full, by hand; otherwise a twentieth of each. */
const SHARE = Deno.env.get("HOTPLUG_SOAK") === "1" ? 1 : 0.05;

/** Megabytes that the heap may grow by when its garbage has been collected. */
const MOST_GROWTH_MB = 8;

/** What a process holds that it could forget to give back. */
interface Held {
  readonly descriptors: number;
  readonly resources: number;
  /** Processes that were started and are there, those that nobody waited for included. */
  readonly children: number;
  /** Listeners at `process`, by event. */
  readonly listeners: Readonly<Record<string, number>>;
  readonly megabytes: number;
}

v8.setFlagsFromString("--expose-gc");
const collectGarbage = vm.runInNewContext("gc") as () => void;

function held(): Held {
  collectGarbage();
  const descriptors = Deno.build.os === "linux" ? readdirSync("/proc/self/fd").length : 0;
  const resources = typeof process.getActiveResourcesInfo === "function"
    ? process.getActiveResourcesInfo().length
    : 0;
  const listeners = Object.fromEntries(
    process.eventNames().map((event) => [String(event), process.listenerCount(event)]),
  );
  const megabytes = process.memoryUsage().heapUsed / 2 ** 20;
  return { descriptors, resources, children: children(), listeners, megabytes };
}

function children(): number {
  if (Deno.build.os !== "linux") return 0;
  return readdirSync("/proc").filter((name) => {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      const [, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return Number(name) > 0 && parent === String(process.pid);
    } catch {
      return false;
    }
  }).length;
}

/**
 * Connections that may lie in the pool at the end and did not at the start: five calls at once and
 * their cancellations, of which both ends count here. Every leak of a call would be far more.
 */
const POOLED = 2 * (5 + 5) * 2;

/** Whether no more is held than at the start, the pool of connections aside. */
function isBack(start: Held, end: Held): boolean {
  return end.descriptors <= start.descriptors + POOLED && end.resources <= start.resources + 8 &&
    end.children <= start.children;
}

/**
 * Does something again and again, and compares what is held after the first tenth with what is
 * held at the end: what grows with the number of times is a leak.
 */
async function again(
  name: string,
  full: number,
  step: (time: number) => Promise<void>,
): Promise<void> {
  const times = Math.max(10, Math.round(full * SHARE));
  const warm = Math.max(2, Math.round(times / 10));
  let start = held();
  for (let time = 0; time < times; time++) {
    if (time === warm) start = held();
    await step(time);
  }
  // What was given up is told to the server, which takes it a moment later.
  const until = performance.now() + 5_000;
  let end = held();
  while (!isBack(start, end) && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    end = held();
  }
  const message = `${name}, ${times} times: ${JSON.stringify({ start, end })}`;
  if (SHARE === 1) Deno.stdout.writeSync(new TextEncoder().encode(`${message}\n`));
  assert.ok(isBack(start, end), message);
  assert.deepEqual(end.listeners, start.listeners, message);
  assert.ok(end.megabytes <= start.megabytes + MOST_GROWTH_MB, message);
}

withManager("connecting and ending servers again and again holds nothing back", async (world) => {
  await withFake(() => null, async (fake) => {
    const manager = world.manager();
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

import assert from "node:assert/strict";
import process from "node:process";
import { type Clock, machineClock } from "../../src/runtime/clock.ts";
import type { MCPManager } from "../../src/runtime/manager.ts";
import {
  refusingOldSessions,
  resultFor,
  sessionNotFound,
  withFake,
} from "../connection/fake_http.ts";
import { countedListeners } from "../harness/counted_listeners.ts";
import { freePort, startSdkServer } from "../harness/http_servers.ts";
import { processesOfHome } from "../harness/living_processes.ts";
import { trap } from "../harness/servers.ts";
import { until } from "../harness/until.ts";
import { inHome, type ManagerWorld, withManager } from "../runtime/running_manager.ts";
import { again } from "./held.ts";

/** How much faster than the machine's the clock of these managers runs. */
const HASTE = 100;

/**
 * A clock that makes waits between attempts and the least time of a restart short; processes and
 * requests go by the machine's.
 */
class HastyClock implements Clock {
  #skipped = 0;

  now(): number {
    return machineClock.now() * HASTE + this.#skipped;
  }

  ticks(): number {
    return machineClock.ticks() * HASTE + this.#skipped;
  }

  delay(ms: number, signal: AbortSignal): Promise<void> {
    return machineClock.delay(ms / HASTE, signal);
  }

  idle(ms: number, signal: AbortSignal): Promise<void> {
    return machineClock.idle(ms / HASTE, signal);
  }

  /** Lets a minute pass at once: what failed before it is forgotten. */
  skipMinute(): void {
    this.#skipped += 60_000;
  }
}

const isConnected = (manager: MCPManager): boolean =>
  manager.getServers().every(({ state }) => state === "connected");

async function assertProcesses(world: ManagerWorld, most: number): Promise<void> {
  if (Deno.build.os !== "linux") return;
  await until(async () => (await processesOfHome(world.home)).length <= most);
}

withManager("reloads hold nothing back, be it over stdio or HTTP", async (world) => {
  const server = await startSdkServer(world, "legacy");
  try {
    const { signal, listeners } = countedListeners();
    const manager = world.manager();
    const configs = inHome(world, { good: trap("good"), web: { url: server.url } });
    await again("reloads", 1_000, async () => {
      const { errors } = await manager.connectServers(configs, {}, { signal });
      assert.deepEqual([...errors], []);
      const results = await Promise.all([
        manager.callTool("good", "echo", { text: "x" }, { signal }),
        manager.callTool("web", "echo", { text: "x" }, { signal }),
      ]);
      for (const { content } of results) assert.equal(content[0]?.["text"], "x");
      await manager.disconnectAll();
    }, listeners);
    await assertProcesses(world, 0);
  } finally {
    await server.close();
  }
});

withManager("restarts hold nothing back, be it over stdio or HTTP", async (world) => {
  const server = await startSdkServer(world, "modern");
  try {
    const { signal, listeners } = countedListeners();
    const manager = world.manager({ clock: new HastyClock() });
    await manager.connectServers(
      inHome(world, { good: trap("good"), web: { url: server.url } }),
    );
    await again("restarts of two", 500, async () => {
      await Promise.all([
        manager.restartServer("good", { signal }),
        manager.restartServer("web", { signal }),
      ]);
      assert.ok(isConnected(manager));
    }, listeners);
    await assertProcesses(world, 1);
  } finally {
    await server.close();
  }
});

withManager("killed servers that come back hold nothing back", async (world) => {
  const { signal, listeners } = countedListeners();
  const clock = new HastyClock();
  const manager = world.manager({ clock });
  await manager.connectServers(inHome(world, { x: trap("pid") }));
  await again("reconnects over stdio", 1_000, async () => {
    clock.skipMinute();
    const connection = manager.getConnection("x");
    process.kill(connection?.pid ?? 0, "SIGKILL");
    await until(() => manager.getConnection("x") !== connection && isConnected(manager));
    const { content } = await manager.callTool("x", "pid", {}, { signal });
    assert.equal(content[0]?.["text"], String(manager.getConnection("x")?.pid));
  }, listeners);
  await assertProcesses(world, 1);
});

/** Serves a plain legacy server on a port until told to stop. */
function serveOn(port: number): Deno.HttpServer {
  return Deno.serve({ hostname: "127.0.0.1", port, onListen: (): void => {} }, async (request) => {
    if (request.method !== "POST") return new Response(null, { status: 405 });
    const message = await request.json();
    if (message["id"] === undefined) return new Response(null, { status: 202 });
    return Response.json(resultFor(message));
  });
}

withManager("remote servers that go and come back hold nothing back", async (world) => {
  const port = freePort();
  const { signal, listeners } = countedListeners();
  const clock = new HastyClock();
  const manager = world.manager({ clock });
  let server = serveOn(port);
  try {
    await manager.connectServers({ x: { url: `http://127.0.0.1:${port}/mcp` } });
    await again("reconnects over HTTP", 1_000, async () => {
      clock.skipMinute();
      const connection = manager.getConnection("x");
      await server.shutdown();
      const call = manager.callTool("x", "t", {}, { signal });
      // A connection of the pool may end under the call: then nobody knows whether it got through.
      await assert.rejects(
        call,
        ({ code }) => code === "server-unreachable" || code === "outcome-unknown",
      );
      await until(() => manager.getConnection("x") !== connection);
      server = serveOn(port);
      await until(() => isConnected(manager));
      assert.equal((await manager.callTool("x", "t", {}, { signal })).isError, false);
    }, listeners);
  } finally {
    await server.shutdown();
  }
});

withManager("lost sessions hold nothing back", async (world) => {
  await withFake(refusingOldSessions(sessionNotFound), async (fake) => {
    const { signal, listeners } = countedListeners();
    const manager = world.manager();
    await manager.connectServers({ x: { url: fake.url } });
    const connection = manager.getConnection("x");
    await again("lost sessions", 1_000, async (time) => {
      fake.seen.length = 0;
      fake.session = `forgotten-${time}`;
      const calls = Array.from({ length: 5 }, () => manager.callTool("x", "t", {}, { signal }));
      for (const { isError } of await Promise.all(calls)) assert.equal(isError, false);
      assert.equal(fake.methods().filter((method) => method === "initialize").length, 1);
    }, listeners);
    assert.equal(manager.getConnection("x"), connection);
  }, { session: true });
});

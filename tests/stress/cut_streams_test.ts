import assert from "node:assert/strict";
import { connectToServer } from "../../src/connection/connect.ts";
import { LONGEST_SILENCE_MS } from "../../src/connection/stream_request.ts";
import type { MCPServerConnection } from "../../src/model/connection.ts";
import type { MCPManager } from "../../src/runtime/manager.ts";
import { FakeTimers } from "../connection/fake_timers.ts";
import { type Cut, type CuttingProxy, startCuttingProxy } from "../harness/cutting_proxy.ts";
import { type ChangingServer, startChangingServer } from "../harness/http_servers.ts";
import { until } from "../harness/until.ts";
import { type ManagerWorld, withManager } from "../runtime/running_manager.ts";
import { IS_SOAK, SHARE, tell } from "./held.ts";

type Era = "legacy" | "modern";

const ERAS: readonly Era[] = ["legacy", "modern"];

/**
 * Streams that are cut in a full run, one after the other. In the modern era each that did not
 * stand for long makes the wait for the next one twice as long: 1 second to 32.
 */
const FULL_CUTS: Readonly<Record<Era, number>> = { legacy: 40, modern: 6 };

/** Milliseconds until a stream is surely open again. */
const LONGEST_GAP_MS = 45_000;

/** Milliseconds that a quiet stream lives in the test of an hour. */
const HOUR_MS = 3_600_000;

/** Calls one after another until told to stop; a call that fails ends it. */
async function callOn(manager: MCPManager, isOver: () => boolean): Promise<number> {
  let calls = 0;
  for (; !isOver(); calls++) {
    const text = `call ${calls}`;
    const { content } = await manager.callTool("x", "echo", { text }, { timeout: 5_000 });
    assert.deepEqual(content, [{ type: "text", text }]);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return calls;
}

/** A test with a real server behind a proxy that cuts its streams. */
function withProxy(
  name: string,
  era: Era,
  test: (parts: {
    readonly world: ManagerWorld;
    readonly server: ChangingServer;
    readonly proxy: CuttingProxy;
  }) => Promise<void>,
): void {
  withManager(name, async (world) => {
    const server = await startChangingServer(world, era);
    const proxy = await startCuttingProxy(server.url);
    try {
      await test({ world, server, proxy });
    } finally {
      await proxy.close();
      await server.close();
    }
  });
}

for (const era of ERAS) {
  withProxy(
    `a ${era} stream that is cut is opened again, what was missed is read, and no call fails [C09]`,
    era,
    async ({ world, server, proxy }) => {
      const manager = world.manager();
      await manager.connectServers({ x: { url: proxy.url } });
      const has = (tool: string): boolean =>
        manager.listTools("x").some(({ name }) => name === tool);
      const connection = manager.getConnection("x");
      let isOver = false;
      const calling = callOn(manager, () => isOver);
      calling.catch(() => {});
      const cuts = Math.max(2, FULL_CUTS[era] * SHARE);
      const begun = performance.now();
      for (let cut = 0; cut < cuts; cut++) {
        await until(() => proxy.streams() === 1);
        assert.equal(proxy.cut(cut % 2 === 0 ? "fin" : "rst"), 1);
        const missed = await server.change(1);
        assert.equal(proxy.streams(), 0);
        await until(() => has(missed), LONGEST_GAP_MS);
        const announced = await server.change(1);
        await until(() => has(announced));
      }
      isOver = true;
      const ms = Math.round(performance.now() - begun);
      tell(`cut streams, ${era}: ${JSON.stringify({ cuts, calls: await calling, ms })}`);
      assert.equal(manager.getConnection("x"), connection, "it was connected all the while");
    },
  );
}

/** What each span of a quiet hour ends with; `null`: with nothing at all. */
const SPANS: readonly (Cut | null)[] = [null, "hole", "fin", "hole", "rst", "hole"];

/** A connection to the proxy by the clock of the test, and what came over it. */
interface Listening {
  readonly connection: MCPServerConnection;
  readonly timers: FakeTimers;
  /** How many changes were announced, by the server or on its behalf. */
  readonly announced: () => number;
}

async function listen(world: ManagerWorld, url: string): Promise<Listening> {
  const timers = new FakeTimers();
  let announced = 0;
  const connection = await connectToServer("x", { url, args: [], env: {}, headers: {} }, {
    timeout: 10_000,
    callTimeout: 5_000,
    environment: {},
    machine: world.machine,
    timers,
    onNotification: ({ method }) => {
      if (method === "notifications/tools/list_changed") announced++;
    },
  });
  return { connection, timers, announced: () => announced };
}

/** Lets a stream be quiet for a span, cut it, and see that nothing is lost for good. */
async function passSpan(
  { connection, timers, announced }: Listening,
  { server, proxy }: { readonly server: ChangingServer; readonly proxy: CuttingProxy },
  cut: Cut | null,
): Promise<void> {
  const tools = async (): Promise<string> =>
    JSON.stringify(await connection.request("tools/list", {}));
  const before = announced();
  const asked = proxy.asked();
  let missed: string | null = null;
  if (cut !== null) {
    assert.equal(proxy.cut(cut), 1);
    missed = await server.change(1);
    assert.equal(announced(), before, "what fell into the gap was seen");
  }
  timers.advance(LONGEST_SILENCE_MS);
  // Requests go by the machine's clock, waits by the test's.
  const happens = (what: () => boolean): Promise<void> =>
    until(() => {
      if (what()) return true;
      timers.advance(500);
      return false;
    });
  await happens(() => proxy.asked() > asked);
  // A server that does not know yet refuses a second stream until its own system tells it.
  if (cut === "hole") proxy.reveal();
  await happens(() => announced() > before);
  assert.equal(proxy.streams(), 1);
  if (missed !== null) assert.ok((await tools()).includes(`"${missed}"`));
  const seen = announced();
  const news = await server.change(1);
  await until(() => announced() > seen);
  assert.ok((await tools()).includes(`"${news}"`));
  const params = { name: "echo", arguments: { text: "still here" } };
  const { content } = await connection.request("tools/call", params);
  assert.deepEqual(content, [{ type: "text", text: "still here" }]);
}

for (const era of ERAS) {
  withProxy(
    `a ${era} stream that is quiet for an hour is kept alive over cuts and holes [G12]`,
    era,
    async ({ world, server, proxy }) => {
      const listening = await listen(world, proxy.url);
      try {
        await until(() => proxy.streams() === 1);
        const spans = IS_SOAK ? HOUR_MS / LONGEST_SILENCE_MS : SPANS.length;
        for (let span = 0; span < spans; span++) {
          await passSpan(listening, { server, proxy }, SPANS[span % SPANS.length] ?? null);
        }
        tell(`quiet hour, ${era}: ${JSON.stringify({ spans, streams: proxy.asked() })}`);
      } finally {
        await listening.connection.close();
      }
      assert.equal(listening.timers.size, 0);
    },
  );
}

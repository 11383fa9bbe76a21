import assert from "node:assert/strict";
import type { ListKind } from "../../src/model/listing.ts";
import { lifeOf, ListExpiry } from "../../src/runtime/list_expiry.ts";
import { withFake } from "../connection/fake_http.ts";
import { until } from "../harness/until.ts";
import { FakeClock } from "./fake_clock.ts";
import { withManager } from "./running_manager.ts";

Deno.test("a list lives as long as its server says, but a minute at least", () => {
  const life = (ttlMs: number | null): number | null => lifeOf("tools", { ttlMs }, { tools: {} });
  assert.deepEqual([life(null), life(0), life(1000), life(90_000)], [null, null, 60_000, 90_000]);
});

Deno.test("lists whose changes are announced are not read for their time", () => {
  const capabilities = { tools: { listChanged: true }, resources: {} };
  assert.equal(lifeOf("tools", { ttlMs: 90_000 }, capabilities), null);
  assert.equal(lifeOf("resourceTemplates", { ttlMs: 90_000 }, capabilities), 90_000);
});

Deno.test("a list that is read again begins its time anew, and the end leaves no timer", async () => {
  const clock = new FakeClock();
  const ended = new AbortController();
  const expired: ListKind[] = [];
  const expiry = new ListExpiry(clock, ended.signal, (kind) => expired.push(kind));
  expiry.begin("tools", 1000);
  expiry.begin("prompts", 1500);
  await clock.turn(900);
  expiry.begin("tools", 1000);
  await clock.turn(900);
  assert.deepEqual(expired, ["prompts"]);
  await clock.turn(100);
  assert.deepEqual(expired, ["prompts", "tools"]);
  expiry.begin("tools", 1000);
  ended.abort();
  assert.equal(clock.waiting, 0);
});

withManager(
  "a list whose time has passed is read again while the server is connected",
  async (world) => {
    const clock = new FakeClock();
    let reads = 0;
    await withFake(({ message }) => {
      if (message["method"] !== "tools/list") return null;
      const tool = { name: `t${++reads}`, inputSchema: { type: "object" } };
      return Response.json({
        jsonrpc: "2.0",
        id: message["id"],
        result: { tools: [tool], ttlMs: 120_000 },
      });
    }, async (fake) => {
      const manager = world.manager({ clock });
      await manager.connectServers({ x: { url: fake.url } });
      await manager.settled();
      assert.deepEqual(manager.listTools("x").map(({ name }) => name), ["t1"]);
      await clock.turn(120_000);
      await until(async () => {
        await clock.turn(300);
        return manager.listTools("x")[0]?.name === "t2";
      });
    });
  },
);

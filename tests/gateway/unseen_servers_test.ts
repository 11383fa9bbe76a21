import assert from "node:assert/strict";
import { isUnseen, ONCE_MS, UnseenServers } from "../../src/gateway/unseen_servers.ts";
import { FakeClock } from "../runtime/fake_clock.ts";
import { view } from "./made.ts";

const never = new AbortController().signal;

Deno.test("a server is unseen while nothing is known of its tools", () => {
  assert.ok(isUnseen(view("a", { state: "connecting" })));
  assert.ok(!isUnseen(view("a", { state: "connecting", tools: 2 })));
  assert.ok(!isUnseen(view("a", { state: "connecting", cachedAgeMs: 5 })));
  assert.ok(!isUnseen(view("a", { state: "error" })));
});

Deno.test("a host that asks once gets its list when every new server has been seen", async () => {
  const clock = new FakeClock();
  let views = [view("a", { state: "connecting" }), view("b", { state: "connected", tools: 1 })];
  const unseen = new UnseenServers(() => views, clock, ONCE_MS);
  let isOver = false;
  const seen = unseen.seen(never).then(() => isOver = true);
  unseen.changed();
  await clock.turn(5_000);
  assert.equal(isOver, false);
  views = [view("a", { state: "connected", tools: 1 })];
  unseen.changed();
  await seen;
  assert.equal(clock.waiting, 0);
});

Deno.test("a server that hangs holds the first list up for ten seconds, later ones not at all", async () => {
  const clock = new FakeClock();
  const unseen = new UnseenServers(() => [view("a", { state: "connecting" })], clock, ONCE_MS);
  const seen = unseen.seen(never);
  await clock.turn(10_000);
  await seen;
  await unseen.seen(never);
});

Deno.test("a request that is cancelled waits no more", async () => {
  const clock = new FakeClock();
  const unseen = new UnseenServers(() => [view("a", { state: "connecting" })], clock, ONCE_MS);
  const controller = new AbortController();
  const seen = unseen.seen(controller.signal);
  controller.abort();
  await seen;
  assert.equal(clock.waiting, 0);
});

import assert from "node:assert/strict";
import {
  isUnseen,
  ONCE_MS,
  type SeenSession,
  UnseenServers,
} from "../../src/gateway/unseen_servers.ts";
import type { ServerView } from "../../src/model/server_view.ts";
import type { Tool } from "../../src/model/tool.ts";
import { FakeClock } from "../runtime/fake_clock.ts";
import { toolOf, view } from "./made.ts";

const never = new AbortController().signal;

/** A session with these rows that offers these tools. */
function sessionOf(views: readonly ServerView[], tools: readonly Tool[] = []): SeenSession {
  return { servers: () => views, hasFailedBefore: () => false, toolSet: { generation: 1, tools } };
}

Deno.test("a server that has come while a reload holds the tools back is waited for", async () => {
  const clock = new FakeClock();
  const views = [view("a", { state: "connected", tools: 1 })];
  let tools: readonly Tool[] = [];
  const unseen = new UnseenServers(() => sessionOf(views, tools), clock, ONCE_MS);
  let isOver = false;
  const seen = unseen.seen(never).then(() => isOver = true);
  await clock.turn(100);
  assert.equal(isOver, false);
  tools = [toolOf("a", { name: "t" })];
  await clock.turn(20);
  await seen;
  assert.equal(clock.waiting, 0);
});

Deno.test("a server is unseen while nothing is known of its tools", () => {
  assert.ok(isUnseen(view("a", { state: "connecting" })));
  assert.ok(!isUnseen(view("a", { state: "connecting", tools: 2 })));
  assert.ok(!isUnseen(view("a", { state: "connecting" }), "tools", true));
  assert.ok(!isUnseen(view("a", { state: "error" })));
});

Deno.test("a server is unseen by a further list until that is read or could not be", () => {
  const up = { state: "connected", tools: 1 } as const;
  for (const kind of ["prompts", "resources", "resourceTemplates"] as const) {
    assert.ok(isUnseen(view("a", { state: "connecting" }), kind));
    assert.ok(isUnseen(view("a", { state: "connecting", cachedAgeMs: 5, tools: 3 }), kind));
    assert.ok(isUnseen(view("a", { state: "connecting", tools: 3 }), kind, true));
    assert.ok(!isUnseen(view("a", { state: "connecting" }), kind, true), "it failed");
    assert.ok(isUnseen(view("a", up), kind));
    assert.ok(!isUnseen(view("a", { ...up, prompts: 0, resources: 2 }), kind));
    const warnings = [`${kind} could not be listed: no`];
    assert.ok(!isUnseen(view("a", { ...up, warnings }), kind));
    assert.ok(!isUnseen(view("a", { state: "error" }), kind));
  }
  assert.ok(isUnseen(view("a", { ...up, prompts: 1 }), "resources"));
  assert.ok(!isUnseen(view("a", { ...up, prompts: 1 }), "prompts"));
});

Deno.test("a host that asks once gets its list when every new server has been seen", async () => {
  const clock = new FakeClock();
  let views = [view("a", { state: "connecting" }), view("b", { state: "connected" })];
  const unseen = new UnseenServers(() => sessionOf(views), clock, ONCE_MS);
  let isOver = false;
  const seen = unseen.seen(never).then(() => isOver = true);
  unseen.changed();
  await clock.turn(5_000);
  assert.equal(isOver, false);
  views = [view("a", { state: "connected" })];
  unseen.changed();
  await seen;
  assert.equal(clock.waiting, 0);
});

Deno.test("a server that hangs holds the first list up for ten seconds, later ones not at all", async () => {
  const clock = new FakeClock();
  const unseen = new UnseenServers(
    () => sessionOf([view("a", { state: "connecting" })]),
    clock,
    ONCE_MS,
  );
  const seen = unseen.seen(never);
  await clock.turn(10_000);
  await seen;
  await unseen.seen(never);
});

Deno.test("a request that is cancelled waits no more", async () => {
  const clock = new FakeClock();
  const unseen = new UnseenServers(
    () => sessionOf([view("a", { state: "connecting" })]),
    clock,
    ONCE_MS,
  );
  const controller = new AbortController();
  const seen = unseen.seen(controller.signal);
  controller.abort();
  await seen;
  assert.equal(clock.waiting, 0);
});

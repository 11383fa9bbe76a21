import assert from "node:assert/strict";
import { PendingRequests } from "../../src/connection/pending_requests.ts";
import { FakeTimers } from "./fake_timers.ts";
import { rejection } from "./harness.ts";

const ignore = (): void => {};

function setUp(): { timers: FakeTimers; pending: PendingRequests; cancelled: string[] } {
  const timers = new FakeTimers();
  return { timers, pending: new PendingRequests("s", timers), cancelled: [] };
}

Deno.test("a request ends with its first answer and leaves no timer", async () => {
  const { timers, pending, cancelled } = setUp();
  const answer = pending.add("a", { method: "m", timeout: 10, onCancel: (r) => cancelled.push(r) });
  assert.equal(pending.resolve("a", { x: 1 }), true);
  assert.equal(pending.resolve("a", { x: 2 }), false);
  assert.equal(pending.reject("a", new Error()), false);
  assert.deepEqual(await answer, { x: 1 });
  assert.equal(timers.size, 0);
  assert.deepEqual(cancelled, []);
});

Deno.test("the time-out cancels and rejects, and progress restarts it [C16]", async () => {
  const { timers, pending, cancelled } = setUp();
  const answer = rejection(
    pending.add("a", { method: "m", timeout: 1_000, onCancel: (r) => cancelled.push(r) }),
  );
  for (let i = 0; i < 5; i++) {
    timers.advance(900);
    assert.equal(pending.progress("a", { progress: i }, {}), true);
  }
  assert.deepEqual(cancelled, []);
  timers.advance(1_000);
  assert.deepEqual(cancelled, ["Request timed out"]);
  assert.match((await answer).message, /no answer within 1 s/);
  assert.equal(pending.progress("a", { progress: 9 }, {}), false);
});

Deno.test("progress cannot keep a request beyond ten minutes, or its longer time-out", async () => {
  for (const [timeout, longest] of [[60_000, 600_000], [900_000, 900_000]] as const) {
    const { timers, pending } = setUp();
    const answer = rejection(pending.add("a", { method: "m", timeout, onCancel: ignore }));
    let passed = 0;
    while (pending.has("a")) {
      timers.advance(50_000);
      passed += 50_000;
      pending.progress("a", { progress: passed }, {});
    }
    assert.equal(passed, longest);
    assert.equal((await answer).code, "request-timeout");
  }
});

Deno.test("while the host is asked the clocks of what waited stand, up to ten minutes", async () => {
  const { timers, pending } = setUp();
  const waited = rejection(pending.add("a", { method: "m", timeout: 1_000, onCancel: ignore }));
  timers.advance(900);
  const goOn = pending.hold();
  const second = pending.hold();
  const later = rejection(pending.add("b", { method: "m", timeout: 1_000, onCancel: ignore }));
  timers.advance(1_000);
  assert.deepEqual(pending.ids(), ["a"]);
  await later;
  second();
  timers.advance(100_000);
  assert.deepEqual(pending.ids(), ["a"]);
  goOn();
  timers.advance(999);
  assert.deepEqual(pending.ids(), ["a"]);
  const again = pending.hold();
  timers.advance(600_000 - 102_899);
  assert.equal((await waited).code, "request-timeout");
  again();
  assert.equal(timers.size, 0);
});

Deno.test("an abort cancels and rejects at once", async () => {
  const { timers, pending, cancelled } = setUp();
  const abort = new AbortController();
  const answer = rejection(
    pending.add("a", {
      method: "m",
      timeout: 10,
      signal: abort.signal,
      onCancel: (r) => cancelled.push(r),
    }),
  );
  abort.abort();
  assert.equal((await answer).code, "aborted");
  assert.deepEqual(cancelled, ["Request aborted"]);
  assert.equal(timers.size, 0);
});

Deno.test("a throwing progress listener disturbs nothing", async () => {
  const { pending } = setUp();
  const answer = pending.add("a", {
    method: "m",
    timeout: 10,
    onCancel: ignore,
    onProgress: () => {
      throw new Error("listener");
    },
  });
  assert.equal(pending.progress("a", { progress: 1 }, {}), true);
  pending.resolve("a", {});
  assert.deepEqual(await answer, {});
});

Deno.test("idle comes when the last one has ended", async () => {
  const { pending } = setUp();
  await pending.idle();
  const answer = pending.add("a", { method: "m", timeout: 10, onCancel: ignore });
  let idle = false;
  const waiting = pending.idle().then(() => idle = true);
  await Promise.resolve();
  assert.equal(idle, false);
  pending.rejectAll(new Error("x"));
  await waiting;
  await answer.catch(() => {});
});

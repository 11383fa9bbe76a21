import assert from "node:assert/strict";
import { LATEST_MS, LookQueue, QUIET_MS } from "../../src/session/look_queue.ts";
import { FakeClock } from "../runtime/fake_clock.ts";

/** A queue whose looks are counted, and end when a test says so. */
function queued(again: () => number | null = () => null): {
  readonly clock: FakeClock;
  readonly queue: LookQueue;
  readonly state: { looks: number; atOnce: number; most: number; gate: Promise<void> };
} {
  const clock = new FakeClock();
  const state = { looks: 0, atOnce: 0, most: 0, gate: Promise.resolve() };
  const queue = new LookQueue({
    clock,
    async look(): Promise<number | null> {
      state.looks++;
      state.most = Math.max(state.most, ++state.atOnce);
      await state.gate;
      state.atOnce--;
      return again();
    },
  });
  return { clock, queue, state };
}

Deno.test("a burst of events causes one look, after a pause", async () => {
  const { clock, queue, state } = queued();
  for (let event = 0; event < 5; event++) {
    queue.trigger();
    await clock.turn(QUIET_MS - 1);
  }
  assert.equal(state.looks, 0);
  await clock.turn(1);
  assert.equal(state.looks, 1);
  await clock.turn(60_000);
  assert.equal(state.looks, 1);
  await queue.stop();
});

Deno.test("a storm of events is looked at once a second", async () => {
  const { clock, queue, state } = queued();
  for (let event = 0; event < 1_000; event++) {
    queue.trigger();
    await clock.turn(5);
  }
  await clock.turn(QUIET_MS);
  const looks = 5_000 / LATEST_MS;
  assert.ok(state.looks >= looks && state.looks <= looks + 1, `${state.looks} looks`);
  await queue.stop();
  assert.equal(clock.waiting, 0);
});

Deno.test("events during a look cause exactly one more, never at the same time", async () => {
  const { clock, queue, state } = queued();
  const { promise, resolve } = Promise.withResolvers<void>();
  state.gate = promise;
  queue.trigger();
  await clock.turn(QUIET_MS);
  assert.equal(state.looks, 1);
  for (let event = 0; event < 10; event++) queue.trigger();
  await clock.turn(10_000);
  assert.equal(state.looks, 1);
  resolve();
  await clock.turn(0);
  await clock.turn(QUIET_MS);
  await clock.turn(10_000);
  assert.deepEqual([state.looks, state.most], [2, 1]);
  await queue.stop();
});

Deno.test("a look can ask for another one, which an event brings forward", async () => {
  const waits = [2_000, 2_000];
  const { clock, queue, state } = queued(() => waits.shift() ?? null);
  queue.trigger();
  await clock.turn(QUIET_MS);
  await clock.turn(500);
  queue.trigger();
  await clock.turn(QUIET_MS);
  assert.equal(state.looks, 2);
  await clock.turn(1_999);
  assert.equal(state.looks, 2);
  await clock.turn(1);
  await clock.turn(QUIET_MS);
  assert.equal(state.looks, 3);
  assert.equal(clock.waiting, 0);
  await queue.stop();
});

Deno.test("after its end it looks no more, and nothing waits", async () => {
  const { clock, queue, state } = queued(() => 1_000);
  queue.trigger();
  await clock.turn(QUIET_MS);
  assert.equal(clock.waiting, 1);
  await queue.stop();
  await queue.stop();
  queue.trigger();
  await clock.turn(60_000);
  assert.deepEqual([state.looks, clock.waiting], [1, 0]);
});

Deno.test("a clock on the wall that is set back delays no look [G12]", async () => {
  const { clock, queue, state } = queued();
  queue.trigger();
  clock.setWall(-3_600_000);
  await clock.turn(QUIET_MS);
  assert.equal(state.looks, 1);
  await queue.stop();
});

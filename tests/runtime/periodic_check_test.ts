import assert from "node:assert/strict";
import { PeriodicCheck, type Waited } from "../../src/runtime/periodic_check.ts";
import { hasSlept } from "../../src/runtime/sleep.ts";
import { FakeClock } from "./fake_clock.ts";

/** A check of a number of servers that a test sets, every two seconds. */
function watched(answer: () => Promise<void> = () => Promise.resolve()): {
  readonly clock: FakeClock;
  readonly watch: PeriodicCheck;
  readonly state: { servers: number; asked: number; waited: Waited | null };
} {
  const clock = new FakeClock();
  const state = { servers: 1, asked: 0, waited: null as Waited | null };
  const watch = new PeriodicCheck({
    clock,
    intervalMs: 2_000,
    check: (waited) => {
      state.asked++;
      state.waited = waited;
      return answer();
    },
    isNeeded: () => state.servers > 0,
  });
  return { clock, state, watch };
}

Deno.test("servers that are up are asked about every two seconds, once each", async () => {
  const { clock, watch, state } = watched();
  watch.start();
  watch.start();
  await clock.turn(1_999);
  assert.equal(state.asked, 0);
  await clock.turn(1);
  assert.equal(state.asked, 1);
  await clock.turn(2_000);
  assert.equal(state.asked, 2);
  await watch.stop();
  assert.equal(clock.waiting, 0);
  await clock.turn(10_000);
  assert.equal(state.asked, 2);
});

Deno.test("without servers nobody is asked, and a later start asks again", async () => {
  const { clock, watch, state } = watched();
  watch.start();
  state.servers = 0;
  await clock.turn(2_000);
  assert.deepEqual([state.asked, clock.waiting], [1, 0]);
  state.servers = 1;
  watch.start();
  await clock.turn(2_000);
  assert.equal(state.asked, 2);
  await watch.stop();
});

Deno.test("a check is told how long it was waited for, and a sleep shows in it [G12]", async () => {
  const { clock, watch, state } = watched();
  watch.start();
  await clock.turn(2_000);
  assert.deepEqual(state.waited, { wallMs: 2_000, ticksMs: 2_000 });
  clock.setWall(3_600_000);
  await clock.turn(2_000);
  assert.deepEqual(state.waited, { wallMs: 3_602_000, ticksMs: 2_000 });
  await watch.stop();
  assert.equal(hasSlept({ wallMs: 5_000, ticksMs: 5_000 }), false);
  assert.equal(hasSlept({ wallMs: -3_600_000, ticksMs: 5_000 }), false);
  assert.equal(hasSlept({ wallMs: 3_602_000, ticksMs: 5_000 }), true);
  assert.equal(hasSlept({ wallMs: 5_000, ticksMs: 60_000 }), true);
});

Deno.test("an end does not wait for a check that hangs, and a later start asks again", async () => {
  const { clock, watch, state } = watched(() => new Promise(() => {}));
  watch.start();
  await clock.turn(2_000);
  assert.equal(state.asked, 1);
  await watch.stop();
  watch.start();
  await clock.turn(2_000);
  assert.equal(state.asked, 2);
  await watch.stop();
  assert.equal(clock.waiting, 0);
});

import assert from "node:assert/strict";
import { PermissionWatch } from "../../src/runtime/permission_watch.ts";
import { FakeClock } from "./fake_clock.ts";

/** A watch over a number of servers that a test sets. */
function watched(): {
  readonly clock: FakeClock;
  readonly watch: PermissionWatch;
  readonly state: { servers: number; asked: number };
} {
  const clock = new FakeClock();
  const state = { servers: 1, asked: 0 };
  const recheck = (): Promise<void> => {
    state.asked++;
    return Promise.resolve();
  };
  return { clock, state, watch: new PermissionWatch(clock, recheck, () => state.servers > 0) };
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

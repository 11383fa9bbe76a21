import assert from "node:assert/strict";
import type { ListKind } from "../../src/model/listing.ts";
import {
  announcedLists,
  LATEST_MS,
  ListUpdates,
  QUIET_MS,
} from "../../src/runtime/list_updates.ts";
import { FakeClock } from "./fake_clock.ts";

/** Updates over a clock that stands, with every read on record. */
function updates(read: (kinds: readonly ListKind[]) => Promise<void> = () => Promise.resolve()): {
  readonly clock: FakeClock;
  readonly reads: (readonly ListKind[])[];
  readonly failures: unknown[];
  readonly ending: AbortController;
  readonly lists: ListUpdates;
} {
  const clock = new FakeClock();
  const reads: (readonly ListKind[])[] = [];
  const failures: unknown[] = [];
  const ending = new AbortController();
  const lists = new ListUpdates({
    clock,
    signal: ending.signal,
    read: (kinds) => {
      reads.push([...kinds]);
      return read([...kinds]);
    },
    onFailure: (error) => failures.push(error),
  });
  return { clock, reads, failures, ending, lists };
}

Deno.test("each notification names its lists, and any other none", () => {
  assert.deepEqual(announcedLists("notifications/tools/list_changed"), ["tools"]);
  assert.deepEqual(announcedLists("notifications/resources/list_changed"), [
    "resources",
    "resourceTemplates",
  ]);
  assert.deepEqual(announcedLists("notifications/message"), []);
});

Deno.test("a burst of announcements is one read, after a pause [D10]", async () => {
  const { clock, reads, lists } = updates();
  for (let time = 0; time < 5; time++) lists.announce(["tools"]);
  lists.announce(["prompts"]);
  await clock.turn(QUIET_MS - 1);
  assert.deepEqual(reads, []);
  await clock.turn(1);
  assert.deepEqual(reads, [["tools", "prompts"]]);
  await clock.turn(60_000);
  assert.equal(reads.length, 1);
  assert.equal(clock.waiting, 0);
});

Deno.test("a clock on the wall that is set back or forward delays no list [G12]", async () => {
  for (const set of [-3_600_000, 3_600_000]) {
    const { clock, reads, lists } = updates();
    lists.announce(["tools"]);
    clock.setWall(set);
    await clock.turn(QUIET_MS - 1);
    assert.deepEqual(reads, []);
    await clock.turn(1);
    assert.deepEqual(reads, [["tools"]]);
  }
});

Deno.test("announcements that never pause are read after two seconds all the same", async () => {
  const { clock, reads, lists } = updates();
  for (let time = 0; time < LATEST_MS; time += 100) {
    lists.announce(["tools"]);
    await clock.turn(100);
  }
  assert.ok(reads.length >= 1);
});

Deno.test("a change that is announced during a read causes another one [D12]", async () => {
  const first = Promise.withResolvers<void>();
  let time = 0;
  const { clock, reads, lists } = updates(() => time++ === 0 ? first.promise : Promise.resolve());
  lists.announce(["tools"]);
  await clock.turn(QUIET_MS);
  assert.equal(reads.length, 1);
  lists.announce(["tools"]);
  await clock.turn(QUIET_MS);
  assert.equal(reads.length, 1, "never two reads at a time");
  first.resolve();
  await clock.turn(0);
  await clock.turn(QUIET_MS);
  assert.equal(reads.length, 2);
});

Deno.test("a failed read is told of and tried again, and then given up [D17]", async () => {
  const { clock, reads, failures, lists } = updates(() => Promise.reject(new Error("down")));
  lists.announce(["tools"]);
  for (let time = 0; time < 100; time++) await clock.turn(1000);
  assert.equal(reads.length, 4);
  assert.equal(failures.length, 4);
  assert.equal(clock.waiting, 0);
});

Deno.test("the end stops reading and leaves no timer", async () => {
  const { clock, reads, ending, lists } = updates();
  lists.announce(["tools"]);
  ending.abort();
  await clock.turn(QUIET_MS);
  assert.deepEqual(reads, []);
  assert.equal(clock.waiting, 0);
});

Deno.test("who is in a hurry waits for no pause, and not for a read that began before", async () => {
  const first = Promise.withResolvers<void>();
  let turn = 0;
  const { clock, reads, lists } = updates(() => turn++ === 0 ? first.promise : Promise.resolve());
  lists.announce(["tools"]);
  const now = lists.readNow(["tools", "prompts"]);
  await clock.turn(0);
  assert.deepEqual(reads, [["tools", "prompts"]]);
  let isDone = false;
  const later = lists.readNow(["tools"]).then(() => isDone = true);
  first.resolve();
  await now;
  assert.equal(isDone, false);
  await later;
  assert.deepEqual(reads, [["tools", "prompts"], ["tools"]]);
  assert.equal(clock.waiting, 0);
});

Deno.test("a hurried read that fails says why, and is tried again all the same", async () => {
  let turn = 0;
  const { clock, reads, failures, lists } = updates(() =>
    turn++ < 2 ? Promise.reject(new Error(`no ${turn}`)) : Promise.resolve()
  );
  await assert.rejects(lists.readNow(["tools"]), /no 1/);
  await assert.rejects(lists.readNow(["tools"]), /no 2/);
  assert.deepEqual([reads.length, failures.length], [2, 2]);
  await clock.turn(4_000);
  assert.equal(reads.length, 3);
  assert.equal(clock.waiting, 0);
});

Deno.test("whoever waits for a read when all ends is let go", async () => {
  const { ending, lists } = updates(() =>
    new Promise((_, reject): void =>
      ending.signal.addEventListener("abort", () => reject(new Error()))
    )
  );
  const now = lists.readNow(["tools"]);
  const later = lists.readNow(["tools"]);
  ending.abort();
  await Promise.all([now, later, lists.readNow(["tools"])]);
});

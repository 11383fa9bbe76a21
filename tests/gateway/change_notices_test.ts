import assert from "node:assert/strict";
import { ChangeNotices } from "../../src/gateway/change_notices.ts";
import type { HostProfile } from "../../src/model/host_profile.ts";
import { FakeClock } from "../runtime/fake_clock.ts";
import { profileOf } from "./made.ts";

/** Notices of a host, how often it was told, and the clock. */
function noticesFor(
  profile: HostProfile | null,
  host: { ready: boolean; isWaitedFor?: boolean } = { ready: true },
): { notices: ChangeNotices; told: () => number; clock: FakeClock } {
  const clock = new FakeClock();
  let told = 0;
  const notices = new ChangeNotices({
    mayTell: () => host.ready,
    tell: () => told++,
    isWaitedFor: host.isWaitedFor ?? true,
    profile,
    clock,
    ended: new AbortController().signal,
  });
  return { notices, told: () => told, clock };
}

const second = { generation: 2, tools: [] };

Deno.test("a host that asks again has the new tools a moment later", async () => {
  const { notices, told, clock } = noticesFor(profileOf());
  const outcome = notices.refresh(second);
  assert.equal(told(), 1);
  notices.listed(2);
  await clock.turn(0);
  await clock.turn(50);
  assert.equal(await outcome, "refreshed");
  assert.equal(clock.waiting, 0);
});

Deno.test("a host that does not ask is told once more, and then no more is known", async () => {
  const { notices, told, clock } = noticesFor(null);
  const outcome = notices.refresh(second);
  notices.listed(1);
  await clock.turn(1_000);
  assert.equal(told(), 2);
  await clock.turn(1_000);
  assert.equal(await outcome, "announced");
  assert.equal(told(), 2);
});

Deno.test("a host that asks somewhere else is told once, and not waited for", async () => {
  const { notices, told, clock } = noticesFor(null, { ready: true, isWaitedFor: false });
  assert.equal(await notices.refresh(second), "announced");
  assert.equal(told(), 1);
  assert.equal(clock.waiting, 0);
});

Deno.test("a host that missed the first notice takes the tools at the second", async () => {
  const { notices, told, clock } = noticesFor(profileOf());
  const outcome = notices.refresh(second);
  await clock.turn(1_000);
  assert.equal(told(), 2);
  notices.listed(2);
  await clock.turn(0);
  await clock.turn(50);
  assert.equal(await outcome, "refreshed");
});

Deno.test("a host that asks with its next request is not waited for", async () => {
  const { notices, told } = noticesFor(profileOf({ asksAgain: "next-request" }));
  assert.equal(await notices.refresh(second), "announced");
  assert.equal(told(), 1);
});

Deno.test("a host that is known to ask once keeps its tools, unless it asks all the same", async () => {
  for (const [asks, expected] of [[false, "ignored"], [true, "refreshed"]] as const) {
    const { notices, told, clock } = noticesFor(profileOf({ refreshes: false }));
    const outcome = notices.refresh(second);
    assert.equal(told(), 1);
    if (asks) notices.listed(2);
    await clock.turn(asks ? 0 : 1_000);
    await clock.turn(50);
    assert.equal(await outcome, expected);
  }
});

Deno.test("a host that does not ask hears of the next tools soon all the same", async () => {
  const { notices, told, clock } = noticesFor(null);
  let last = 2;
  const outcome = notices.refresh(second, () => last === 2);
  last = 3;
  await clock.turn(200);
  assert.equal(await outcome, "announced");
  assert.equal(told(), 1);
  await clock.turn(0);
  assert.equal(clock.waiting, 0);
});

Deno.test("a host that is not ready is told once it is, and once alone", async () => {
  const host = { ready: false };
  const { notices, told } = noticesFor(profileOf(), host);
  assert.equal(await notices.refresh(second), "announced");
  assert.equal(await notices.refresh({ generation: 3, tools: [] }), "announced");
  notices.ready();
  assert.equal(told(), 0);
  host.ready = true;
  notices.ready();
  notices.ready();
  assert.equal(told(), 1);
});

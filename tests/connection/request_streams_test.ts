import assert from "node:assert/strict";
import { RequestStreams } from "../../src/connection/request_streams.ts";
import { FakeTimers } from "./fake_timers.ts";

Deno.test("a stream that does not end by itself is closed after its time, one that ends is not", () => {
  const timers = new FakeTimers();
  const streams = new RequestStreams(timers);
  const [lingers, ends] = [streams.open(), streams.open()];
  for (const stream of [lingers, ends]) stream.closeWithin(1_000);
  ends.ended();
  timers.advance(999);
  assert.equal(lingers.signal.aborted, false);
  timers.advance(1);
  assert.equal(lingers.signal.aborted, true);
  assert.equal(ends.signal.aborted, false);
  assert.deepEqual([streams.size, timers.size], [0, 0]);
});

Deno.test("the end of all closes what is open and leaves no timer", () => {
  const timers = new FakeTimers();
  const streams = new RequestStreams(timers);
  const open = [streams.open(), streams.open()];
  open[0]?.closeWithin(1_000);
  streams.closeAll();
  streams.closeAll();
  assert.ok(open.every(({ signal }) => signal.aborted));
  open[1]?.closeWithin(1_000);
  assert.deepEqual([streams.size, timers.size], [0, 0]);
});

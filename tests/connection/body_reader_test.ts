import assert from "node:assert/strict";
import { BodyReader } from "../../src/connection/body_reader.ts";
import { readBounded } from "../../src/connection/bounded_body.ts";
import { countedListeners } from "../harness/counted_listeners.ts";
import { FakeTimers } from "./fake_timers.ts";

/** A body that gives one piece and then nothing, and notes what it was cancelled with. */
function held(): { readonly body: ReadableStream<Uint8Array>; readonly cancelled: unknown[] } {
  const cancelled: unknown[] = [];
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Uint8Array.of(65)),
    cancel: (reason) => {
      cancelled.push(reason);
    },
  });
  return { body, cancelled };
}

Deno.test("an abort lets go of the body and rejects the read that waits", async () => {
  const { body, cancelled } = held();
  const controller = new AbortController();
  const reader = new BodyReader(body, controller.signal);
  assert.deepEqual(await reader.read(), Uint8Array.of(65));
  const waiting = reader.read();
  controller.abort("enough");
  await assert.rejects(waiting, (reason) => reason === "enough");
  assert.deepEqual(cancelled, ["enough"]);
});

Deno.test("a body whose signal has fired already is let go at once", async () => {
  const { body, cancelled } = held();
  await assert.rejects(readBounded("s", body, 100, AbortSignal.abort("before")));
  assert.deepEqual(cancelled, ["before"]);
});

Deno.test("nothing stays at the signal when the body has ended", async () => {
  const { signal, listeners } = countedListeners();
  assert.equal(await readBounded("s", new Blob(["text"]).stream(), 100, signal), "text");
  assert.equal(listeners(), 0);
});

Deno.test("a body that is silent for too long looks as if it had ended, and is let go [G12]", async () => {
  const { body, cancelled } = held();
  const timers = new FakeTimers();
  const reader = new BodyReader(body, null, { ms: 1_000, timers });
  assert.deepEqual(await reader.read(), Uint8Array.of(65));
  timers.advance(5_000);
  const waiting = reader.read();
  timers.advance(999);
  assert.equal(cancelled.length, 0, "the time counts from the last bytes that were taken");
  timers.advance(1);
  assert.equal(await waiting, null);
  assert.equal(cancelled.length, 1);
  assert.equal(timers.size, 0);
});

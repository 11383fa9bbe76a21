import assert from "node:assert/strict";
import { StreamPacer } from "../../src/connection/stream_pacer.ts";

Deno.test("empty streams are asked for ever more slowly, and then no more [C07]", () => {
  const pacer = new StreamPacer(() => 1);
  const waits: (number | null)[] = [];
  for (let i = 0; i < 8; i++) {
    waits.push(pacer.nextWait());
    pacer.streamEnded(5, 0);
  }
  assert.deepEqual(waits, [0, 500, 1_000, 2_000, 4_000, 8_000, null, null]);
});

Deno.test("a stream that carried something or stood sets the count back", () => {
  for (const [life, events] of [[5, 1], [10_000, 0]] as const) {
    const pacer = new StreamPacer(() => 1);
    pacer.streamEnded(5, 0);
    pacer.streamEnded(5, 0);
    pacer.streamEnded(life, events);
    assert.equal(pacer.nextWait(), 0);
  }
});

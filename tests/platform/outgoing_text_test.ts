import assert from "node:assert/strict";
import { CoarseTimers } from "../../src/platform/coarse_timers.ts";
import { OutgoingText } from "../../src/platform/outgoing_text.ts";
import { until } from "../harness/until.ts";

const LIMITS = { mostWaiting: 1_000_000, stallMs: 30_000 };

/** All pieces to the end. */
async function pieces(text: OutgoingText): Promise<readonly string[]> {
  const all: string[] = [];
  for (let piece = await text.take(); piece !== null; piece = await text.take()) all.push(piece);
  return all;
}

Deno.test("what waits is taken together, in pieces that tear no character", async () => {
  const out = new OutgoingText(LIMITS);
  out.push("a");
  out.push("b");
  out.push(`x${"\u{1f600}".repeat(50_000)}`);
  out.end();
  out.push("too late");
  const all = await pieces(out);
  assert.equal(all[0], "ab");
  assert.equal(all.join(""), `abx${"\u{1f600}".repeat(50_000)}`);
  for (const piece of all) {
    assert.equal(piece, new TextDecoder().decode(new TextEncoder().encode(piece)));
  }
});

Deno.test("a reader that takes nothing is cut, and told of once", async () => {
  let gone = 0;
  let cut = 0;
  const out = new OutgoingText({ ...LIMITS, mostWaiting: 10, onGone: () => gone++ });
  out.onCut = () => cut++;
  out.push("0123456789");
  assert.equal(out.isGone, false);
  out.push("x");
  out.push("y");
  out.abandon();
  assert.deepEqual([out.isGone, gone, cut, await out.take()], [true, 1, 1, null]);
});

Deno.test("a reader that takes too long for a piece is cut", async () => {
  let gone = 0;
  const out = new OutgoingText({ ...LIMITS, stallMs: 10, onGone: () => gone++ });
  out.push("a");
  assert.equal(await out.take(), "a");
  await until(() => gone === 1);
  // One that waits for more is no slow reader.
  const patient = new OutgoingText({ ...LIMITS, stallMs: 10, onGone: () => gone++ });
  patient.push("a");
  await patient.take();
  const next = patient.take();
  await new Promise((resolve) => setTimeout(resolve, 50));
  patient.push("b");
  assert.equal(await next, "b");
  patient.abandon();
});

Deno.test("CoarseTimers run what is due, and nothing that was called off", async () => {
  const timers = new CoarseTimers();
  const ran: string[] = [];
  timers.after(0, () => ran.push("first"));
  const callOff = timers.after(0, () => ran.push("never"));
  timers.after(60_000, () => ran.push("much later"));
  callOff();
  await until(() => ran.length > 0);
  timers.close();
  assert.deepEqual(ran, ["first"]);
});

import assert from "node:assert/strict";
import { type EventStreamEnd, guardedEventStream } from "../../src/connection/event_stream.ts";

async function pass(
  chunks: readonly (string | Uint8Array)[],
  maxBytes = 1_000,
): Promise<{ text: string; end: EventStreamEnd | null; error: unknown }> {
  let end: EventStreamEnd | null = null;
  const body = ReadableStream.from(
    chunks.map((chunk) => typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk),
  );
  const stream = guardedEventStream(body, {
    name: "s",
    maxBytes,
    requestId: "hp-1",
    broken: (thrown) => thrown as Error,
    onEnd: (given) => end = given,
  });
  let text = "";
  let error: unknown = null;
  try {
    for await (const piece of stream.pipeThrough(new TextDecoderStream())) text += piece;
  } catch (thrown) {
    error = thrown;
  }
  return { text, end, error };
}

Deno.test("events pass as they are, whatever their line ends and cuts", async () => {
  const source = 'id: 1\ndata: {"a":1}\n\n: comment\nretry: 5\ndata: žluť\n\n';
  assert.equal((await pass([source])).text, source);
  assert.equal((await pass([source.replaceAll("\n", "\r\n")])).text, source);
  assert.equal((await pass([source.replaceAll("\n", "\r")])).text, source);
  const bytes = new TextEncoder().encode(source.replaceAll("\n", "\r\n"));
  const { text, end } = await pass(Array.from(bytes, (byte) => Uint8Array.of(byte)));
  assert.equal(text, source);
  assert.deepEqual(end, { events: 3, error: null, cancelled: false });
});

Deno.test("an odd error is made sound on the way, and a result that quotes one is not touched", async () => {
  const odd = await pass(['data: {"error":"gone"}\n\n']);
  assert.equal(
    odd.text,
    'data: {"jsonrpc":"2.0","id":"hp-1","error":{"code":-32603,"message":"gone"}}\n\n',
  );
  const result = 'data: {"jsonrpc":"2.0","id":"hp-1","result":{"text":"\\"error\\""}}\n\n';
  assert.equal((await pass([result])).text, result);
});

Deno.test("the bound is for one event, not for the stream [H16]", async () => {
  const many = Array.from({ length: 50 }, () => `data: ${"x".repeat(80)}\n\n`);
  assert.equal((await pass(many, 100)).error, null);
  const { error, end } = await pass(["data: ", "x".repeat(60), "x".repeat(60)], 100);
  assert.match(String(error), /larger than 100 bytes/);
  assert.equal(end?.error, error);
  const lines = await pass(Array.from({ length: 20 }, () => "data: 1234\n"), 100);
  assert.match(String(lines.error), /larger than 100 bytes/);
});

Deno.test("a cancelled stream says so", async () => {
  let end: EventStreamEnd | null = null;
  const stream = guardedEventStream(new ReadableStream(), {
    name: "s",
    maxBytes: 10,
    requestId: null,
    broken: (thrown) => thrown as Error,
    onEnd: (given) => end = given,
  });
  await stream.cancel();
  assert.deepEqual(end, { events: 0, error: null, cancelled: true });
});

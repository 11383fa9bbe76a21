import assert from "node:assert/strict";
import { HTTP_LIMITS } from "../../../src/gateway/http/limits.ts";
import { LostStreams } from "../../../src/gateway/http/lost_streams.ts";
import { RequestStreams } from "../../../src/gateway/http/request_streams.ts";

/** Streams with room for what is lost of them, and how to lose one with a text of some length. */
function losing(
  lost: LostStreams,
): { readonly streams: RequestStreams; lose(length: number): string } {
  const streams = new RequestStreams(HTTP_LIMITS, lost);
  return {
    streams,
    lose(length): string {
      const stream = streams.open();
      const connection = stream.connect(null, false);
      connection.abandon();
      stream.send("x".repeat(length));
      streams.end(stream);
      return stream.id;
    },
  };
}

Deno.test("of streams that nobody came back for the oldest are given up where they are too long together", () => {
  const { streams, lose } = losing(new LostStreams(1_000));
  const ids = [400, 400, 400].map(lose);
  assert.deepEqual(ids.map((id) => streams.find(id) !== null), [false, true, true]);
  const long = lose(5_000);
  assert.ok(streams.find(long) !== null, "the newest is kept whatever its length");
});

Deno.test("the streams of all sessions of a principal count together, and ended sessions keep none", () => {
  const lost = new LostStreams(1_000);
  const [first, second] = [losing(lost), losing(lost)];
  const [one, two] = [first.lose(600), second.lose(600)];
  assert.equal(first.streams.find(one), null);
  assert.ok(second.streams.find(two) !== null);
  const kept = first.lose(600);
  second.streams.close();
  const other = losing(lost).lose(400);
  assert.ok(other !== "" && first.streams.find(kept) !== null);
});

Deno.test("a stream to which somebody is connected again is not given up", () => {
  const { streams, lose } = losing(new LostStreams(1_000));
  const id = lose(600);
  streams.find(id)?.connect(null, false);
  const other = lose(900);
  assert.ok(streams.find(id) !== null && streams.find(other) !== null);
});

Deno.test("a stream is forgotten when somebody has had all of it, and after some looks", async () => {
  const limits = { ...HTTP_LIMITS, aliveMs: 100, keptMs: 250 };
  const streams = new RequestStreams(limits, new LostStreams(1_000));
  const whole = streams.open();
  const connection = whole.connect(null, false);
  whole.send("all");
  streams.end(whole);
  while (await connection.take() !== null);
  assert.equal(streams.find(whole.id), null);
  const running = streams.open();
  const broken = streams.open();
  broken.send("all");
  streams.end(broken);
  for (const isKept of [true, true, false]) {
    streams.alive();
    assert.equal(streams.find(broken.id) !== null, isKept);
  }
  assert.ok(streams.find(running.id) !== null);
});

import assert from "node:assert/strict";
import { KeptStream } from "../../../src/gateway/http/kept_stream.ts";
import { HTTP_LIMITS } from "../../../src/gateway/http/limits.ts";
import type { OutgoingText } from "../../../src/platform/outgoing_text.ts";

const LIMITS = { ...HTTP_LIMITS, keptMessages: 3, keptCharacters: 100 };

/** What waits for a connection to be taken. */
async function taken(connection: OutgoingText): Promise<readonly string[]> {
  const text = await Promise.race([connection.take(), Promise.resolve().then(() => "")]);
  return (text ?? "").split("\n\n").filter((event) => event !== "").map((event) =>
    event.replace("event: message\n", "").replaceAll("\n", " ")
  );
}

Deno.test("a message goes to whoever connected last, and to nobody else", async () => {
  const stream = new KeptStream("7", LIMITS);
  const first = stream.connect(null, false);
  const second = stream.connect(null, false);
  stream.send("a");
  assert.deepEqual(await taken(second), ["id: 7-1 data: a"]);
  second.abandon();
  stream.send("b");
  assert.deepEqual(await taken(first), ["id: 7-2 data: b"]);
  first.abandon();
  assert.equal(stream.isConnected, false);
});

Deno.test("what nobody was given waits for the next, the oldest goes first where it is too much", async () => {
  const stream = new KeptStream("0", LIMITS);
  for (const text of ["a", "b", "c", "d"]) stream.send(text);
  const next = stream.connect(null, true);
  assert.deepEqual(await taken(next), [
    "id: 0-0 data: ",
    "id: 0-2 data: b",
    "id: 0-3 data: c",
    "id: 0-4 data: d",
  ]);
  next.abandon();
  stream.send("e".repeat(60));
  stream.send("f".repeat(60));
  const after = stream.connect(null, false);
  assert.deepEqual(await taken(after), [`id: 0-6 data: ${"f".repeat(60)}`]);
  after.abandon();
});

Deno.test("a client that comes back has what it has missed, and what comes then", async () => {
  const stream = new KeptStream("1", LIMITS);
  const broken = stream.connect(null, false);
  stream.send("a");
  stream.send("b");
  broken.abandon();
  stream.send("c");
  const resumed = stream.connect(1, false);
  assert.deepEqual(await taken(resumed), ["id: 1-2 data: b", "id: 1-3 data: c"]);
  stream.send("d");
  assert.deepEqual(await taken(resumed), ["id: 1-4 data: d"]);
  stream.end();
  assert.equal(await resumed.take(), null);
  assert.equal(stream.isOver, true);
});

Deno.test("a stream whose end nobody has taken is kept to be come back for", async () => {
  let changes = 0;
  const stream = new KeptStream("1", LIMITS, () => changes++);
  const broken = stream.connect(null, false);
  stream.send("answer");
  stream.end();
  broken.abandon();
  assert.equal(stream.isOver, false);
  const resumed = stream.connect(0, false);
  assert.deepEqual(await taken(resumed), ["id: 1-1 data: answer"]);
  assert.equal(await resumed.take(), null);
  assert.equal(stream.isOver, true);
  assert.equal(changes, 2);
});

Deno.test("a newer message takes the place of an older one that says the same, unless that was given", async () => {
  const stream = new KeptStream("0", LIMITS);
  stream.send("tools 1", "tools");
  stream.send("prompts", "prompts");
  stream.send("tools 2", "tools");
  const connection = stream.connect(null, false);
  assert.deepEqual(await taken(connection), ["id: 0-2 data: prompts", "id: 0-3 data: tools 2"]);
  stream.send("tools 3", "tools");
  assert.deepEqual(await taken(connection), ["id: 0-4 data: tools 3"]);
  connection.abandon();
});

Deno.test("of too many connections the oldest ends", async () => {
  const stream = new KeptStream("0", LIMITS);
  const connections = Array.from({ length: 5 }, () => stream.connect(null, false));
  assert.equal(await connections[0]?.take(), null);
  for (const connection of connections) connection.abandon();
});

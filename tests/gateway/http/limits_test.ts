import assert from "node:assert/strict";
import { trap } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { type Limited, limited } from "./limited.ts";
import { errorCode, Events, json } from "./served.ts";

const GOOD = { t: trap("good"), late: trap("late", "2000"), hung: trap("hang-call") };

/** Waits until a tool answers. */
async function ready(gateway: Limited): Promise<void> {
  await until(async () => {
    const response = await gateway.call("bob", "late_echo", { text: "x" });
    return (await response.text()).includes('"result"');
  }, 20_000);
}

/** A session that must have been opened. */
async function opened(
  gateway: Limited,
  principal: "alice" | "bob" = "alice",
): Promise<Readonly<Record<string, string>>> {
  const session = await gateway.open(principal);
  assert.ok(!(session instanceof Response));
  return session;
}

async function statusOf(response: Promise<Response>): Promise<number> {
  const { status, body } = await response;
  await body?.cancel();
  return status;
}

const PING = { id: "ping", method: "ping" };

limited(
  "a principal has only so many requests running, and all have together",
  { requestsOfOne: 2, requests: 3 },
  GOOD,
  async (gateway) => {
    await ready(gateway);
    const calls = [
      gateway.call("alice", "late_go"),
      gateway.call("alice", "late_go"),
    ];
    // They are let in one after the other, before any of them has its answer.
    let refused = await gateway.call("alice", "t_echo", { text: "x" });
    while (refused.status !== 429) {
      await refused.body?.cancel();
      refused = await gateway.call("alice", "t_echo", { text: "x" });
    }
    assert.equal(refused.headers.get("retry-after"), "1");
    assert.equal(await errorCode(refused, 429), -32000);
    const third = gateway.call("bob", "late_go");
    await until(async () => await statusOf(gateway.call("bob", "t_echo", { text: "x" })) === 503);
    for (const call of [...calls, third]) assert.ok("result" in await json(await call));
    assert.ok("result" in await json(await gateway.call("alice", "t_echo", { text: "x" })));
  },
);

limited(
  "where there are too many sessions the one ends that was not used for longest",
  { sessionsOfOne: 2 },
  {},
  async (gateway) => {
    const first = await opened(gateway);
    const second = await opened(gateway);
    const bobs = await opened(gateway, "bob");
    assert.equal(await statusOf(gateway.post("alice", PING, first)), 200);
    const third = await opened(gateway);
    assert.equal(await statusOf(gateway.post("alice", PING, second)), 404);
    for (const session of [first, third]) {
      assert.equal(await statusOf(gateway.post("alice", PING, session)), 200);
    }
    assert.equal(await statusOf(gateway.post("bob", PING, bobs)), 200);
  },
);

limited(
  "a session that is in use does not end for a new one",
  { sessionsOfOne: 1 },
  {},
  async (gateway) => {
    const session = await opened(gateway);
    await using stream = new Events(await gateway.get("alice", session));
    const refused = await gateway.open("alice");
    assert.ok(refused instanceof Response);
    assert.equal(refused.headers.get("retry-after"), "10");
    assert.equal(await errorCode(refused, 503), -32000);
    assert.equal(await statusOf(gateway.post("alice", PING, session)), 200);
    assert.equal(stream.isOver, false);
  },
);

limited(
  "a session ends that nobody uses for long, but not one that somebody listens to",
  { sessionIdleMs: 300, aliveMs: 50 },
  {},
  async (gateway) => {
    const idle = await opened(gateway);
    const busy = await opened(gateway);
    await using stream = new Events(await gateway.get("alice", busy));
    // To ask for it would be to use it.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    assert.equal(await statusOf(gateway.post("alice", PING, idle)), 404);
    assert.equal(await statusOf(gateway.post("alice", PING, busy)), 200);
    assert.equal(stream.isOver, false);
  },
);

limited(
  "streams give signs of life, and an answer that takes long becomes one [C24]",
  { aliveMs: 100 },
  GOOD,
  async (gateway) => {
    await ready(gateway);
    const session = await opened(gateway);
    await using own = new Events(await gateway.get("alice", session));
    await until(() => own.text.split(": alive\n\n").length > 3);
    assert.deepEqual(own.messages, []);
    const params = { name: "late_go", arguments: {} };
    await using slow = new Events(
      await gateway.post("alice", { id: 7, method: "tools/call", params }, session),
    );
    await slow.first(({ id }) => id === 7);
    await until(() => slow.isOver);
    // It may be taken up again, also before anything has come.
    assert.match(slow.text, /^id: \d+-0\ndata: \n\n/);
    await using modern = new Events(await gateway.call("alice", "late_go"));
    await until(() => modern.isOver);
    const [answer] = modern.messages;
    assert.ok(answer !== undefined && "result" in answer);
  },
);

limited(
  "bodies are bounded one by one and together",
  {
    bodyBytes: 10_000,
    readingBytes: 15_000,
    bodyMs: 60_000,
  },
  GOOD,
  async (gateway) => {
    await ready(gateway);
    const long = { text: "x".repeat(11_000) };
    assert.equal(await errorCode(await gateway.call("alice", "t_echo", long), 413), -32000);
    // One that is still on its way counts as a whole.
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const slow = fetch(gateway.url, {
      method: "POST",
      headers: {
        authorization: "Bearer alice-0123456789abcdef",
        "content-type": "application/json",
      },
      body: readable,
    });
    await writer.write(new TextEncoder().encode("{"));
    await until(async () =>
      await statusOf(gateway.call("bob", "t_echo", { text: "x".repeat(9_000) })) === 503
    );
    assert.equal(await statusOf(gateway.call("bob", "t_echo", { text: "short" })), 200);
    await writer.close();
    assert.equal(await errorCode(await slow, 400), -32700);
    assert.equal(await statusOf(gateway.call("bob", "t_echo", { text: "x".repeat(9_000) })), 200);
  },
);

limited(
  "what one principal sends slowly keeps another's from nothing",
  { bodyBytes: 10_000, readingBytesOfOne: 15_000, readingBytes: 30_000, bodyMs: 60_000 },
  GOOD,
  async (gateway) => {
    await ready(gateway);
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const slow = fetch(gateway.url, {
      method: "POST",
      headers: {
        authorization: "Bearer alice-0123456789abcdef",
        "content-type": "application/json",
      },
      body: readable,
    });
    await writer.write(new TextEncoder().encode("{"));
    const long = { text: "x".repeat(9_000) };
    await until(async () => await statusOf(gateway.call("alice", "t_echo", long)) === 503);
    assert.equal(await statusOf(gateway.call("bob", "t_echo", long)), 200);
    await writer.close();
    assert.equal(await errorCode(await slow, 400), -32700);
  },
);

limited(
  "the requests of an array count one by one",
  { requestsOfOne: 2 },
  {},
  async (gateway) => {
    const session = await opened(gateway);
    const pings = (count: number): Promise<Response> =>
      gateway.postText(
        "alice",
        JSON.stringify(
          Array.from({ length: count }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" })),
        ),
        session,
      );
    assert.equal(await errorCode(await pings(3), 429), -32000);
    for (const _ of [1, 2]) assert.equal(await statusOf(pings(2)), 200);
  },
);

limited(
  "the streams of sessions count among those of their principal",
  { streamsOfOne: 1 },
  {},
  async (gateway) => {
    const session = await opened(gateway);
    const other = await opened(gateway);
    {
      await using stream = new Events(await gateway.get("alice", session));
      assert.equal(await errorCode(await gateway.get("alice", other), 429), -32000);
      await using bobs = new Events(await gateway.get("bob", await opened(gateway, "bob")));
      assert.deepEqual([stream.isOver, bobs.isOver], [false, false]);
    }
    await until(async () => await statusOf(gateway.get("alice", other)) === 200);
  },
);

limited("a body that does not come is refused", { bodyMs: 100 }, {}, async (gateway) => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const slow = fetch(gateway.url, {
    method: "POST",
    headers: {
      authorization: "Bearer alice-0123456789abcdef",
      "content-type": "application/json",
    },
    body: readable,
  });
  await writer.write(new TextEncoder().encode("{"));
  assert.equal(await errorCode(await slow, 408), -32000);
  await writer.abort().catch(() => {});
});

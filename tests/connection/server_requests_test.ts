import assert from "node:assert/strict";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { JsonObject } from "../../src/model/json.ts";
import { silentLogger } from "../../src/model/log.ts";
import { type AskHost, ServerRequests } from "../../src/connection/server_requests.ts";

interface Answer {
  readonly id: number;
  readonly result?: JsonObject;
  readonly error?: { readonly code: number };
}

/** Requests of a server whose answers are kept. */
function setUp(ask: AskHost | undefined, sends = true): {
  readonly requests: ServerRequests;
  readonly answers: Answer[];
  readonly held: () => number;
} {
  const answers: Answer[] = [];
  let held = 0;
  const inner: Transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send(message: JSONRPCMessage): Promise<void> {
      if (!sends) return Promise.reject(new Error("broken"));
      answers.push(message as unknown as Answer);
      return Promise.resolve();
    },
  };
  const requests = new ServerRequests({
    name: "s",
    inner,
    kind: "stdio",
    callTimeout: 1_000,
    log: silentLogger,
    ask,
    sendError: (thrown) => thrown as Error,
    closeError: () => null,
  }, () => {
    held++;
    return () => held--;
  });
  return { requests, answers, held: () => held };
}

Deno.test("a flood of requests is answered, and costs the host no more than a hundred at a time", async () => {
  const open: (() => void)[] = [];
  const { requests, answers, held } = setUp(() =>
    new Promise((resolve) => open.push(() => resolve({ ok: true })))
  );
  const all = Array.from({ length: 150 }, (_, id) => requests.take(id, "roots/list", {}));
  assert.equal(open.length, 100);
  await Promise.all(all.slice(100));
  assert.deepEqual(answers.map(({ error }) => error?.code), Array(50).fill(-32603));
  assert.equal(held(), 100);
  for (const release of open) release();
  await Promise.all(all);
  assert.equal(answers.length, 150);
  assert.equal(new Set(answers.map(({ id }) => id)).size, 150);
  assert.equal(held(), 0);
});

Deno.test("pings are answered however many requests are open", async () => {
  const { requests, answers } = setUp(() => new Promise(() => {}));
  for (let id = 0; id < 100; id++) void requests.take(id, "roots/list", {});
  await Promise.all(Array.from({ length: 150 }, (_, id) => requests.take(1_000 + id, "ping", {})));
  assert.equal(answers.filter(({ result }) => result !== undefined).length, 150);
});

Deno.test("an id in use is answered once, and free again afterwards", async () => {
  let asked = 0;
  const { requests, answers } = setUp(() => Promise.resolve({ asked: ++asked }));
  await Promise.all([requests.take(1, "m", {}), requests.take(1, "m", {})]);
  assert.deepEqual(answers.map(({ result }) => result), [{ asked: 1 }]);
  await requests.take(1, "m", {});
  assert.equal(answers.length, 2);
});

Deno.test("what was withdrawn, or came to its end, is not answered, whatever its handler does", async () => {
  const signals: AbortSignal[] = [];
  const { requests, answers, held } = setUp((_method, _params, signal) => {
    signals.push(signal);
    return new Promise(() => {});
  });
  const first = requests.take(1, "m", {});
  const second = requests.take("2", "m", {});
  assert.equal(requests.cancelled({ requestId: 2 }), false);
  assert.equal(requests.cancelled({ requestId: 1 }), true);
  assert.equal(requests.cancelled({ requestId: 1 }), false);
  await first;
  assert.deepEqual(signals.map(({ aborted }) => aborted), [true, false]);
  requests.end(new Error("over"));
  await second;
  assert.equal(signals[1]?.aborted, true);
  assert.deepEqual(answers, []);
  assert.equal(held(), 0);
});

Deno.test("an answer that cannot be sent, and a host that throws at once, disturb nothing", async () => {
  const broken = setUp(() => Promise.resolve({}), false);
  await broken.requests.take(1, "m", {});
  await broken.requests.take(2, "ping", {});
  const throwing = setUp(() => {
    throw new Error("secret words");
  });
  await throwing.requests.take(1, "m", {});
  assert.equal(throwing.answers[0]?.error?.code, -32603);
  assert.doesNotMatch(JSON.stringify(throwing.answers), /secret words/);
  assert.equal(throwing.held(), 0);
  const nobody = setUp(undefined);
  await nobody.requests.take(1, "roots/list", {});
  await nobody.requests.take(2, "ping", {});
  assert.deepEqual(nobody.answers.map(({ error, result }) => error?.code ?? result), [-32601, {}]);
});

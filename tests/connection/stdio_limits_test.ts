import assert from "node:assert/strict";
import type { MCPServerConnection } from "../../src/model/connection.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { RequestOptions } from "../../src/model/tool.ts";
import { rejection, until, withBench } from "./harness.ts";

const call = (
  connection: MCPServerConnection,
  args: JsonObject,
  options?: RequestOptions,
): Promise<JsonObject> => connection.request("tools/call", { name: "t", arguments: args }, options);

/** Answers `initialize` and one call, closes its stdin and lives on. */
const CLOSES_STDIN = `
read initialize
echo '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"x","version":"1"}}}'
read initialized
read call
exec 0<&-
echo '{"jsonrpc":"2.0","id":"hp-1","result":{"content":[]}}'
sleep 60
`;

Deno.test("a server that closes its stdin but lives on is lost and ended", async () => {
  await withBench(async (bench) => {
    const connection = await bench.connect({ command: "sh", args: ["-c", CLOSES_STDIN] });
    await call(connection, {});
    await rejection(call(connection, {}, { timeout: 3_000 }));
    const reason = await connection.closed;
    assert.equal(reason?.code, "connection-closed");
    assert.match(reason?.message ?? "", /closed its stdin/);
    assert.equal((await rejection(call(connection, {}))).code, "connection-closed");
    await until(() => bench.children().length === 0, "its process is gone");
  });
});

Deno.test("what a server does not read is bounded, and time-out, abort and close still work", async () => {
  await withBench(async (bench) => {
    const connection = await bench.connect(bench.program("raw_stdio.ts"));
    await call(connection, { do: "deaf" });
    const text = "x".repeat(40 * 1024 * 1024);
    const timedOut = rejection(call(connection, { text }, { timeout: 300 }));
    const controller = new AbortController();
    const aborted = rejection(call(connection, { text }, { signal: controller.signal }));
    controller.abort();
    assert.equal((await aborted).code, "aborted");
    assert.equal((await timedOut).code, "request-timeout");
    const refused = await rejection(call(connection, { text: "y" }));
    assert.equal(refused.code, "message-too-large");
    assert.match(refused.message, /does not read its stdin/);
    assert.equal(refused.details["delivered"], "no");
    const started = performance.now();
    await connection.close();
    assert.ok(performance.now() - started < 3_500);
  });
});

Deno.test("a message that is too large is refused before it is sent, and harms no other", async () => {
  await withBench(async (bench) => {
    const connection = await bench.connect(bench.program("raw_stdio.ts"));
    const error = await rejection(call(connection, { text: "x".repeat(65 * 1024 * 1024) }));
    assert.equal(error.code, "message-too-large");
    // Too long for any text: the runtime itself refuses to make it.
    const part = "x".repeat(64 * 1024 * 1024);
    const endless = await rejection(call(connection, { parts: Array(16).fill(part) }));
    assert.equal(endless.code, "message-too-large");
    await call(connection, {});
  });
});

Deno.test("ten thousand calls at once are answered in any order, each with its own answer", async () => {
  await withBench(async (bench) => {
    const connection = await bench.connect(bench.program("raw_stdio.ts"));
    const count = 10_000;
    const { signal } = new AbortController();
    const answers = await Promise.all(
      Array.from(
        { length: count },
        (_, at) => call(connection, { do: "reversed", at, of: count }, { signal }),
      ),
    );
    assert.ok(answers.every((answer, at) => answer["at"] === at));
  });
});

Deno.test("a burst of 100,000 notifications and as many reports of progress is taken", async () => {
  await withBench(async (bench) => {
    const connection = await bench.connect(bench.program("raw_stdio.ts"));
    const count = 100_000;
    await call(connection, { do: "burst", count });
    assert.equal(bench.notifications.length, count);
    let last = 0;
    await call(connection, { do: "progress-flood", count }, {
      onProgress: ({ progress }) => last = progress,
    });
    assert.equal(last, count);
    assert.equal(bench.notifications.length, count, "progress is no notification of its own");
  });
});

Deno.test("what was read together with the last message before a close is not told any more", async () => {
  await withBench(async (bench) => {
    const told: string[] = [];
    const connection = await bench.connect(bench.program("raw_stdio.ts"), {
      onNotification: ({ method }) => {
        told.push(method);
        void connection.close();
      },
    });
    await rejection(call(connection, { do: "burst", count: 500 }));
    await connection.close();
    assert.equal(told.length, 1);
  });
});

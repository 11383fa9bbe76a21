import assert from "node:assert/strict";
import type { JsonObject } from "../../src/model/json.ts";
import { LONGEST_SILENCE_MS } from "../../src/connection/stream_request.ts";
import { events, json, resultFor, withFake } from "./fake_http.ts";
import { FakeTimers } from "./fake_timers.ts";
import { until, withBench } from "./harness.ts";

Deno.test("a server's stream that drops once is opened again, and the server stays connected [C09]", async () => {
  const changed = `data: ${
    JSON.stringify({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })
  }\n\n`;
  await withFake(
    ({ method }) => method === "GET" ? events(`retry: 10\n\n`, changed) : null,
    async (fake) => {
      await withBench(async (bench) => {
        const connection = await bench.connect({ url: fake.url });
        let ended = false;
        void connection.closed.then(() => ended = true);
        await until(() => bench.notifications.length >= 2, "a second stream brought its news");
        const result = await connection.request("tools/call", { name: "t", arguments: {} });
        assert.deepEqual(result["content"], [{ type: "text", text: "ok" }]);
        assert.equal(ended, false);
      });
    },
  );
});

Deno.test("lists that announce changes count as changed when a dropped stream is open again [C09]", async () => {
  let streams = 0;
  await withFake(
    (seen) => {
      if (seen.method === "GET") {
        return events(++streams === 1 ? "retry: 10\n\n: hello\n\n" : ": again\n\n");
      }
      if (seen.message["method"] !== "initialize") return null;
      const answer = resultFor(seen.message);
      const result = answer["result"] as JsonObject;
      return json({
        ...answer,
        result: { ...result, capabilities: { tools: { listChanged: true } } },
      });
    },
    async (fake) => {
      await withBench(async (bench) => {
        await bench.connect({ url: fake.url });
        await until(() => bench.notifications.length > 0, "the gap was told");
        assert.deepEqual(bench.notifications[0], {
          method: "notifications/tools/list_changed",
          params: {},
        });
        assert.ok(streams >= 2);
      });
    },
  );
});

Deno.test("the end of a call's time names the setting that gives more, comments or not [C24]", async () => {
  const stream = new ReadableStream<Uint8Array>({
    start(controller): void {
      controller.enqueue(new TextEncoder().encode(": still there\n\n"));
    },
  });
  await withFake(
    ({ message }) =>
      message["method"] === "tools/call"
        ? new Response(stream, { headers: { "content-type": "text/event-stream" } })
        : null,
    async (fake) => {
      await withBench(async (bench) => {
        const connection = await bench.connect({ url: fake.url });
        const call = connection.request("tools/call", { name: "t", arguments: {} }, {
          timeout: 150,
        });
        await assert.rejects(call, {
          code: "request-timeout",
          hint: "A longer time can be set as callTimeout (milliseconds) of the server",
        });
      });
    },
  );
});

Deno.test("a silent stream is kept while it has to bring the answer to a call, and only then [C09] [G12]", async () => {
  const streams: ReadableStreamDefaultController<Uint8Array>[] = [];
  let accepted: JsonObject | null = null;
  let letGo = false;
  await withFake(
    ({ method, message }) => {
      if (method === "GET") {
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => {
            controller.enqueue(new TextEncoder().encode(": open\n\n"));
            streams.push(controller);
          },
          cancel: () => {
            letGo = true;
          },
        });
        return new Response(body, { headers: { "content-type": "text/event-stream" } });
      }
      if (message["method"] !== "tools/call") return null;
      accepted = message;
      return new Response(null, { status: 202 });
    },
    async (fake) => {
      await withBench(async (bench) => {
        const timers = new FakeTimers();
        const connection = await bench.connect({ url: fake.url }, { timers });
        await until(() => streams.length === 1 && timers.size > 0, "the stream is open");
        const answer = connection.request("tools/call", { name: "t", arguments: {} });
        await until(() => accepted !== null, "the call was accepted");
        // The client reads the head of the answer a moment after the server wrote it.
        await connection.request("tools/list", {});
        for (let times = 0; times < 3; times++) timers.advance(LONGEST_SILENCE_MS);
        const event = `data: ${JSON.stringify(resultFor(accepted ?? {}))}\n\n`;
        streams[0]?.enqueue(new TextEncoder().encode(event));
        assert.deepEqual((await answer)["content"], [{ type: "text", text: "ok" }]);
        assert.equal(letGo, false);
        await until(() => {
          timers.advance(LONGEST_SILENCE_MS);
          return letGo;
        }, "the silent stream was let go");
      });
    },
  );
});

import assert from "node:assert/strict";
import type { MCPServerConnection } from "../../src/model/connection.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { RequestOptions } from "../../src/model/tool.ts";
import {
  type Answer,
  events,
  json,
  refusingOldSessions,
  resultFor,
  sessionNotFound,
  withFake,
} from "./fake_http.ts";
import { rejection, until, withBench } from "./harness.ts";

const call = (connection: MCPServerConnection, options?: RequestOptions): Promise<JsonObject> =>
  connection.request("tools/call", { name: "t", arguments: {} }, options);

/** A response that never ends by itself, and tells when its client is gone. */
function openStream(first: string, onGone: () => void): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(first)),
    cancel: onGone,
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

const event = (message: JsonObject): string => `data: ${JSON.stringify(message)}\n\n`;

Deno.test("a stream that stays open after its answer is closed, and costs no socket", async () => {
  let gone = 0;
  await withFake(
    ({ message }) =>
      message["method"] === "tools/call"
        ? openStream(event(resultFor(message)), () => gone++)
        : null,
    async (fake) => {
      await withBench(async (bench) => {
        const connection = await bench.connect({ url: fake.url });
        await Promise.all(Array.from({ length: 20 }, () => call(connection)));
        await until(() => gone === 20, "the streams were closed");
      });
    },
  );
});

Deno.test("a call that is given up is freed, though the server takes no cancellation either", async () => {
  let gone = 0;
  const hang: Answer = ({ message }) =>
    message["method"] === "tools/call" || message["method"] === "notifications/cancelled"
      ? openStream(": waiting\n\n", () => ++gone)
      : null;
  await withFake(hang, async (fake) => {
    await withBench(async (bench) => {
      const connection = await bench.connect({ url: fake.url });
      const controller = new AbortController();
      const calls = [
        rejection(call(connection, { timeout: 100 })),
        rejection(call(connection, { signal: controller.signal })),
      ];
      setTimeout(() => controller.abort(), 100);
      const codes = (await Promise.all(calls)).map(({ code }) => code);
      assert.deepEqual(codes, ["request-timeout", "aborted"]);
      await until(() => gone === 4, "both calls and both cancellations let go");
    });
  });
});

Deno.test("a server that asks for no pause before the next stream is not asked without one", async () => {
  await withFake(
    ({ method }) => method === "GET" ? events("retry: 0\nid: 1\ndata: \n\n") : null,
    async (fake) => {
      await withBench(async (bench) => {
        await bench.connect({ url: fake.url });
        const started = performance.now();
        const streams = (): number => fake.seen.filter(({ method }) => method === "GET").length;
        await until(() => streams() >= 3, "three streams were asked for");
        assert.ok(performance.now() - started > 400, "they came without a pause");
      });
    },
  );
});

Deno.test("a web page in the place of the stream means no stream, and is not asked for again", async () => {
  await withFake(
    ({ method }) =>
      method === "GET"
        ? new Response("<html>", { headers: { "content-type": "text/html" } })
        : null,
    async (fake) => {
      await withBench(async (bench) => {
        const connection = await bench.connect({ url: fake.url });
        await until(() => fake.seen.some(({ method }) => method === "GET"), "the GET");
        await new Promise((resolve) => setTimeout(resolve, 700));
        await call(connection);
      });
      assert.equal(fake.seen.filter(({ method }) => method === "GET").length, 1);
    },
  );
});

Deno.test("fifty calls at the moment when a server forgets its session need one new handshake [C04]", async () => {
  await withFake(refusingOldSessions(sessionNotFound), async (fake) => {
    await withBench(async (bench) => {
      const connection = await bench.connect({ url: fake.url });
      for (let time = 1; time <= 3; time++) {
        fake.session = "forgotten";
        await Promise.all(Array.from({ length: 50 }, () => call(connection)));
        assert.equal(
          fake.methods().filter((method) => method === "initialize").length,
          time + 1,
        );
      }
    });
  }, { session: true });
});

Deno.test("a close while a new session is being made ends that too, and what waits for it", async () => {
  let handshakes = 0;
  let gone = 0;
  await withFake(({ message }) => {
    if (message["method"] === "initialize" && ++handshakes > 1) {
      return openStream(": thinking\n\n", () => gone++);
    }
    return message["method"] === "tools/call" ? new Response("no session", { status: 404 }) : null;
  }, async (fake) => {
    await withBench(async (bench) => {
      const connection = await bench.connect({ url: fake.url });
      const waiting = [rejection(call(connection)), rejection(call(connection))];
      await until(() => handshakes === 2, "the new handshake is under way");
      await connection.close();
      for (const error of await Promise.all(waiting)) assert.equal(error.code, "connection-closed");
      await until(() => gone === 1, "its handshake was let go");
      assert.equal(await connection.closed, null);
    });
  }, { session: true });
});

Deno.test("a broken answer that cannot be resumed fails its call and no other", async () => {
  await withFake(({ message, method }) => {
    if (method === "GET") return new Response(null, { status: 405 });
    const { arguments: args } = (message["params"] ?? {}) as JsonObject;
    const breaks = (args as JsonObject | undefined)?.["break"] === true;
    return breaks ? events("id: 7\nretry: 1\ndata: \n\n") : null;
  }, async (fake) => {
    await withBench(async (bench) => {
      const connection = await bench.connect({ url: fake.url });
      const broken = connection.request("tools/call", { name: "t", arguments: { break: true } });
      const error = await rejection(broken);
      assert.equal(error.code, "connection-closed");
      assert.equal(error.details["delivered"], "unknown");
      await call(connection);
    });
  });
});

Deno.test("answers over the common stream leave nothing behind, and its loss fails only what waits", async () => {
  let send: (text: string) => void = () => {};
  let accepted = 0;
  await withFake(({ message, method }) => {
    if (method === "GET") {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          send = (text) => controller.enqueue(new TextEncoder().encode(text));
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    }
    if (message["method"] !== "tools/call") return null;
    accepted++;
    setTimeout(() => send(event(resultFor(message))), 5);
    return new Response(null, { status: 202 });
  }, async (fake) => {
    await withBench(async (bench) => {
      const connection = await bench.connect({ url: fake.url });
      await until(
        () => fake.seen.some(({ method }) => method === "GET"),
        "the stream is asked for",
      );
      for (let time = 0; time < 20; time++) await call(connection, { timeout: 5_000 });
      assert.equal(accepted, 20);
    });
  });
});

/** What must be said of an url that leads to no MCP server. */
async function unreachable(url: string, says: RegExp, hint: RegExp): Promise<void> {
  await withBench(async (bench) => {
    for (const type of [undefined, "streamable_http", "sse"] as const) {
      const error = await bench.failure({ url, ...(type === undefined ? {} : { type }) });
      assert.equal(error.code, "server-unreachable", `${type}: ${error.message}`);
      assert.ok(error.message.includes(new URL(url).origin), error.message);
      assert.match(error.message, says);
      assert.match(error.hint ?? "", hint);
    }
  });
}

Deno.test("an url that leads nowhere is told with url, cause and hint [F12]", async () => {
  await unreachable("http://no-such-host.invalid/mcp", /host name was not found/, /Check the host/);
  await unreachable("http://127.0.0.1:9/mcp", /may not use that port|refused/, /port/);
});

Deno.test("an url that leads to something else is told with url, cause and hint [F12]", async () => {
  const page = new Response("<html>", { headers: { "content-type": "text/html" } });
  await withFake(() => page.clone(), async (fake) => {
    await unreachable(fake.url, /answered with a web page/, /path of the url/);
    const tls = fake.url.replace("http:", "https:");
    await unreachable(tls, /does not speak TLS/, /http:\/\//);
  });
  await withFake(() => new Response("gone", { status: 404 }), async (fake) => {
    await unreachable(fake.url, /answered HTTP 404/, /path of the url/);
  });
});

Deno.test("a plain TCP server that hangs up at once is told with url, cause and hint [F12]", async () => {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const serving = (async (): Promise<void> => {
    for await (const socket of listener) socket.close();
  })();
  try {
    const { port } = listener.addr;
    await unreachable(`http://127.0.0.1:${port}/mcp`, /the connection broke/, /HTTP server/);
  } finally {
    listener.close();
    await serving;
  }
});

Deno.test("a text that is no protocol message is quoted, short and escaped", async () => {
  const text = `no\u001b[31mpe ${"x".repeat(1_000)}`;
  await withFake(
    () => json(text),
    async (fake) => {
      await withBench(async (bench) => {
        const error = await bench.failure({ url: fake.url, type: "streamable_http" });
        assert.equal(error.code, "server-unreachable");
        assert.ok(!error.message.includes("\u001b"), error.message);
        assert.ok(error.message.length < 500, error.message);
      });
    },
  );
});

import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { listTools } from "../../src/connection/listing.ts";
import type { MCPServerConnection } from "../../src/model/connection.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { remedyForLogin } from "../../src/model/remedies.ts";
import type { RequestOptions } from "../../src/model/tool.ts";
import {
  events,
  json,
  refusingOldSessions,
  resultFor,
  sessionNotFound,
  withFake,
} from "./fake_http.ts";
import { FakeTimers } from "./fake_timers.ts";
import { rejection, until, withBench } from "./harness.ts";

const call = (connection: MCPServerConnection, options?: RequestOptions): Promise<JsonObject> =>
  connection.request("tools/call", { name: "t", arguments: {} }, options);

Deno.test("a legacy server is negotiated, listed and called, with the version on every later request [C23]", async () => {
  await withFake(() => null, async (fake) => {
    await withBench(async (bench) => {
      const connection = await bench.connect({ url: fake.url, headers: { "X-Api-Key": " k \n" } });
      assert.equal(connection.transport, "streamable_http");
      assert.deepEqual(connection.protocol, { era: "legacy", version: "2025-11-25" });
      assert.equal((await listTools(connection)).items.length, 1);
      await call(connection);
      await until(
        () => fake.seen.some(({ method }) => method === "GET"),
        "the stream was asked for",
      );
      await connection.close();
    });
    assert.deepEqual(fake.methods(), [
      "server/discover",
      "initialize",
      "notifications/initialized",
      "tools/list",
      "tools/call",
    ]);
    for (const { headers, message, method } of fake.seen) {
      assert.equal(headers.get("x-api-key"), "k");
      const version = headers.get("mcp-protocol-version");
      if (message["method"] === "initialize") assert.equal(version, null);
      else if (message["method"] !== "server/discover") assert.equal(version, "2025-11-25", method);
    }
  });
});

Deno.test("a known era saves the question", async () => {
  await withFake(() => null, async (fake) => {
    await withBench(async (bench) => {
      await bench.connect({ url: fake.url }, {
        knownProtocol: { era: "legacy", version: "2025-11-25" },
      });
    });
    assert.equal(fake.methods()[0], "initialize");
  });
});

for (const status of [404, 405, 406, 400, 501]) {
  Deno.test(`HTTP ${status} to the GET means no stream, and is not asked again [C06]`, async () => {
    await withFake(
      ({ method }) => method === "GET" ? new Response("no", { status }) : null,
      async (fake) => {
        await withBench(async (bench) => {
          const connection = await bench.connect({ url: fake.url });
          await until(() => fake.seen.some(({ method }) => method === "GET"), "the GET");
          await call(connection);
          await call(connection);
        });
        assert.equal(fake.seen.filter(({ method }) => method === "GET").length, 1);
      },
    );
  });
}

Deno.test("a lost session is made anew once for all that wait, and each call is sent once more [C04] [G08]", async () => {
  await withFake(refusingOldSessions(sessionNotFound), async (fake) => {
    await withBench(async (bench) => {
      const connection = await bench.connect({ url: fake.url });
      await call(connection);
      fake.session = "forgotten";
      await Promise.all([call(connection), call(connection), listTools(connection)]);
      assert.equal(fake.methods().filter((method) => method === "initialize").length, 2);
      assert.equal(fake.session, "session-2");
      await call(connection);
    });
  }, { session: true });
});

Deno.test("the lists of a server that lost the session count as changed, once a minute [C04]", async () => {
  const timers = new FakeTimers();
  await withFake(refusingOldSessions(sessionNotFound), async (fake) => {
    await withBench(async (bench) => {
      const connection = await bench.connect({ url: fake.url }, { timers });
      const loseSession = async (): Promise<readonly string[]> => {
        bench.notifications.length = 0;
        fake.session = "forgotten";
        await connection.request("tools/call", { name: "t", arguments: {} });
        return bench.notifications.map(({ method }) => method);
      };
      assert.deepEqual(await loseSession(), ["notifications/tools/list_changed"]);
      timers.advance(59_999);
      assert.deepEqual(await loseSession(), []);
      timers.advance(1);
      assert.deepEqual(await loseSession(), ["notifications/tools/list_changed"]);
    });
  }, { session: true });
});

Deno.test("a call that the old session still answers is not repeated when a new one is made [C20]", async () => {
  const hold = Promise.withResolvers<Response>();
  let calls = 0;
  await withFake(
    ({ headers, message }, fake) => {
      if (message["method"] !== "tools/call") return null;
      if (++calls === 1) return hold.promise;
      return headers.get("mcp-session-id") === fake.session ? null : sessionNotFound();
    },
    async (fake) => {
      await withBench(async (bench) => {
        const connection = await bench.connect({ url: fake.url });
        const held = call(connection);
        await until(() => calls === 1, "the first call is there");
        const { message } = fake.seen.at(-1) ?? { message: {} };
        fake.session = "forgotten";
        await call(connection);
        hold.resolve(json(resultFor(message)));
        await held;
        assert.equal(calls, 3);
      });
    },
    { session: true },
  );
});

Deno.test("a 400 that names a missing session means a lost session too [C05]", async () => {
  await withFake(
    refusingOldSessions(() =>
      json(
        {
          jsonrpc: "2.0",
          id: null,
          error: { code: -32000, message: "Bad Request: No valid session ID provided" },
        },
        {},
        400,
      )
    ),
    async (fake) => {
      await withBench(async (bench) => {
        const connection = await bench.connect({ url: fake.url });
        fake.session = "forgotten";
        await call(connection);
      });
    },
    { session: true },
  );
});

Deno.test("a lost session that is told inside an event is made anew [C05]", async () => {
  await withFake(({ headers, message }, fake) => {
    if (message["method"] !== "tools/call" || headers.get("mcp-session-id") === fake.session) {
      return null;
    }
    return events('data: {"error":"Session not found"}\n\n');
  }, async (fake) => {
    await withBench(async (bench) => {
      const connection = await bench.connect({ url: fake.url });
      fake.session = "forgotten";
      await call(connection);
    });
  }, { session: true });
});

Deno.test("a session that is lost again at once is an error, not a loop [C04]", async () => {
  await withFake(
    ({ message }) =>
      message["method"] === "tools/call" ? new Response("gone", { status: 404 }) : null,
    async (fake) => {
      await withBench(async (bench) => {
        const connection = await bench.connect({ url: fake.url });
        const error = await rejection(call(connection));
        assert.equal(error.code, "connection-closed");
        assert.equal(fake.methods().filter((method) => method === "tools/call").length, 2);
      });
    },
    { session: true },
  );
});

Deno.test("a 404 without a session is an error, and no new handshake", async () => {
  await withFake(
    ({ message }) =>
      message["method"] === "tools/call" ? new Response("gone", { status: 404 }) : null,
    async (fake) => {
      await withBench(async (bench) => {
        const connection = await bench.connect({ url: fake.url });
        const error = await rejection(call(connection));
        assert.equal(error.code, "server-unreachable");
        assert.match(error.message, /answered HTTP 404: "gone"/);
        assert.equal(fake.methods().filter((method) => method === "initialize").length, 1);
      });
    },
  );
});

Deno.test("a plain 401 is needs-auth with the way to log in, and is not asked in a loop [F14]", async () => {
  await withFake(() => new Response("who are you?", { status: 401 }), async (fake) => {
    await withBench(async (bench) => {
      const error = await bench.failure({ url: fake.url });
      assert.equal(error.code, "needs-auth");
      assert.match(error.message, /does not say how \(HTTP 401\); it said "who are you\?"/);
      assert.equal(error.hint, remedyForLogin());
      assert.ok(fake.seen.length <= 2);
      const sse = await bench.failure({ url: fake.url, type: "sse" });
      assert.equal(sse.code, "needs-auth");
    });
  });
});

Deno.test("a refused Authorization header of the configuration is an error, not a login", async () => {
  await withFake(() => new Response(null, { status: 401 }), async (fake) => {
    await withBench(async (bench) => {
      const error = await bench.failure({
        url: fake.url,
        headers: { authorization: "Bearer secret-one" },
      });
      assert.equal(error.code, "unauthorized");
      assert.doesNotMatch(JSON.stringify(error.toInfo()), /secret-one/);
    });
  });
});

Deno.test("a token goes to the server, and a renewed one is tried once", async () => {
  let token = "old";
  await withFake(
    ({ headers }) =>
      headers.get("authorization") === "Bearer new" ? null : new Response(null, { status: 401 }),
    async (fake) => {
      await withBench(async (bench) => {
        const authProvider = {
          token(): Promise<string> {
            const given = token;
            token = "new";
            return Promise.resolve(given);
          },
        };
        const connection = await bench.connect({ url: fake.url }, { authProvider });
        await call(connection);
      });
    },
  );
});

Deno.test("a redirect to another origin is refused and carries nothing there [H13]", async () => {
  await withFake(() => null, async (other) => {
    await withFake(() => Response.redirect(other.url, 307), async (fake) => {
      await withBench(async (bench) => {
        const error = await bench.failure({ url: fake.url, headers: { "X-Api-Key": "k" } });
        assert.equal(error.code, "server-unreachable");
        assert.match(error.message, /redirects to http:\/\/127\.0\.0\.1:\d+\/mcp \(HTTP 307\)/);
      });
    });
    assert.deepEqual(other.seen, []);
  });
});

Deno.test("a 307 within the origin is followed with the same POST, a 301 is refused with its reason [F10]", async () => {
  const redirect = (status: number) => ({ path }: { path: string }): Response | null =>
    path === "/mcp" ? new Response(null, { status, headers: { location: "/mcp/" } }) : null;
  await withFake(redirect(307), async (fake) => {
    await withBench(async (bench) => {
      const connection = await bench.connect({ url: fake.url, headers: { "X-Api-Key": "k" } });
      await call(connection);
      assert.equal(fake.seen.at(-1)?.headers.get("x-api-key"), "k");
    });
  });
  await withFake(redirect(301), async (fake) => {
    await withBench(async (bench) => {
      const error = await bench.failure({ url: fake.url });
      assert.match(error.hint ?? "", /last slash alone; set url to .*\/mcp\/$/);
    });
  });
});

Deno.test("a bomb of zeros is cut off by its decoded size [H16]", async () => {
  const bomb = gzipSync(new Uint8Array(70 * 1024 * 1024));
  await withFake(
    ({ message }) =>
      message["method"] === "tools/call"
        ? new Response(bomb, {
          headers: { "content-type": "application/json", "content-encoding": "gzip" },
        })
        : null,
    async (fake) => {
      await withBench(async (bench) => {
        const connection = await bench.connect({ url: fake.url });
        assert.equal((await rejection(call(connection))).code, "message-too-large");
        assert.equal((await listTools(connection)).items.length, 1);
      });
    },
  );
});

Deno.test("an event without an end is cut off by its size [H16]", async () => {
  const endless = (): Response => {
    const piece = new TextEncoder().encode("x".repeat(1 << 20));
    const body = new ReadableStream<Uint8Array>({
      start(controller): void {
        controller.enqueue(new TextEncoder().encode("data: "));
      },
      pull(controller): void {
        controller.enqueue(piece);
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  await withFake(
    ({ message }) => message["method"] === "tools/call" ? endless() : null,
    async (fake) => {
      await withBench(async (bench) => {
        const connection = await bench.connect({ url: fake.url });
        const error = await rejection(call(connection));
        assert.equal(error.code, "message-too-large");
      });
    },
  );
});

Deno.test("odd errors reach their request over JSON and over events [C29]", async () => {
  let way = 0;
  await withFake(({ message }) => {
    if (message["method"] !== "tools/call") return null;
    const answers = [
      (): Response =>
        json({ jsonrpc: "2.0", id: null, error: { code: -32000, message: "null id" } }),
      (): Response => json({ id: message["id"], error: { code: "E_BAD", message: "text code" } }),
      (): Response =>
        events(
          `data: {"jsonrpc":"2.0","id":null,"error":{"code":"E_BAD","message":"in an event"}}\r\n\r\n`,
        ),
      (): Response =>
        json(
          { jsonrpc: "2.0", id: message["id"], error: { code: -32602, message: "with 400" } },
          {},
          400,
        ),
    ];
    return answers[way++]?.() ?? null;
  }, async (fake) => {
    await withBench(async (bench) => {
      const connection = await bench.connect({ url: fake.url });
      for (const words of ["null id", "text code", "in an event", "with 400"]) {
        const error = await rejection(call(connection, { timeout: 2_000 }));
        assert.match(error.message, new RegExp(words));
      }
    });
  });
});

Deno.test("a cookie of the load balancer is sent back [C30]", async () => {
  await withFake(({ headers, message }) => {
    if (message["method"] === "initialize") {
      return json(resultFor(message), { "set-cookie": "lb=1; Path=/; HttpOnly" });
    }
    if (message["method"] === "server/discover") return null;
    return headers.get("cookie") === "lb=1" ? null : sessionNotFound();
  }, async (fake) => {
    await withBench(async (bench) => {
      const connection = await bench.connect({ url: fake.url });
      await call(connection);
    });
  });
});

Deno.test("a server that ends every stream at once is not asked for ever [C07]", async () => {
  // The waits between the streams are those of the pacer's own test; here only the first ones pass.
  await withFake(({ method }) => method === "GET" ? events("") : null, async (fake) => {
    await withBench(async (bench) => {
      const connection = await bench.connect({ url: fake.url });
      await until(
        () => fake.seen.filter(({ method }) => method === "GET").length >= 2,
        "asked again",
      );
      await call(connection);
    });
    assert.ok(fake.seen.filter(({ method }) => method === "GET").length <= 3);
  });
});

Deno.test("answers that would come on a stream that does not exist fail at once [C08]", async () => {
  await withFake(({ message, method }) => {
    if (method === "GET") return new Response(null, { status: 405 });
    return message["method"] === "tools/call" ? new Response(null, { status: 202 }) : null;
  }, async (fake) => {
    await withBench(async (bench) => {
      const connection = await bench.connect({ url: fake.url });
      await until(() => fake.seen.some(({ method }) => method === "GET"), "the GET");
      const error = await rejection(call(connection, { timeout: 3_000 }));
      assert.equal(error.code, "connection-closed");
      assert.equal((await connection.closed)?.code, "connection-closed");
    });
  });
});

Deno.test("a stream that breaks in a call fails it at once, its outcome unknown [C20]", async () => {
  await withFake(
    ({ message }) => message["method"] === "tools/call" ? events(": nothing more\n\n") : null,
    async (fake) => {
      await withBench(async (bench) => {
        const connection = await bench.connect({ url: fake.url });
        const error = await rejection(call(connection));
        assert.equal(error.code, "connection-closed");
        assert.equal(error.details["delivered"], "unknown");
      });
    },
  );
});

Deno.test("a time-out over HTTP cancels at the server [C25]", async () => {
  const hold = Promise.withResolvers<Response>();
  await withFake(
    ({ message }) => message["method"] === "tools/call" ? hold.promise : null,
    async (fake) => {
      await withBench(async (bench) => {
        const connection = await bench.connect({ url: fake.url });
        const error = await rejection(call(connection, { timeout: 100 }));
        assert.equal(error.code, "request-timeout");
        await until(() => fake.methods().includes("notifications/cancelled"), "cancelled");
        const { message } = fake.seen.at(-1) ?? {};
        assert.deepEqual((message?.["params"] as JsonObject)["requestId"], "hp-1");
        hold.resolve(new Response(null, { status: 500 }));
      });
    },
  );
});

Deno.test("a refused connection is told by its cause", async () => {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { port } = listener.addr as Deno.NetAddr;
  listener.close();
  await withBench(async (bench) => {
    for (const type of ["streamable_http", "sse"] as const) {
      const error = await bench.failure({ type, url: `http://127.0.0.1:${port}/mcp?key=hidden` });
      assert.equal(error.code, "server-unreachable");
      assert.match(error.message, /the connection was refused$/);
      assert.doesNotMatch(JSON.stringify(error.toInfo()), /hidden/);
      assert.equal(error.details["delivered"], "no");
    }
  });
});

Deno.test("a server that accepts and never answers ends with the start time-out [I01]", async () => {
  const hold = Promise.withResolvers<Response>();
  await withFake(() => hold.promise, async (fake) => {
    await withBench(async (bench) => {
      const error = await bench.failure({ url: fake.url }, { timeout: 300 });
      assert.equal(error.code, "start-timeout");
      assert.ok(error.message.includes(`from ${fake.url} within 0.3 s`), error.message);
      hold.resolve(new Response(null, { status: 500 }));
    });
  });
});

Deno.test("a server error is told with status and body, and is no reason to try SSE", async () => {
  await withFake(() => new Response("database down", { status: 503 }), async (fake) => {
    await withBench(async (bench) => {
      const error = await bench.failure({ url: fake.url });
      assert.equal(error.code, "server-unreachable");
      assert.match(error.message, /answered HTTP 503: "database down"/);
    });
    assert.ok(fake.seen.every(({ method }) => method === "POST"));
  });
});

Deno.test("without a type a 404 to both transports is told as the 404 of the first [A14]", async () => {
  await withFake(() => new Response("nothing here", { status: 404 }), async (fake) => {
    await withBench(async (bench) => {
      const error = await bench.failure({ url: fake.url });
      assert.match(error.message, /answered HTTP 404: "nothing here"/);
      assert.equal(fake.seen.at(-1)?.method, "GET");
    });
  });
});

Deno.test("versions that a 400 lists are tried once [C22]", async () => {
  await withFake(({ message }) => {
    if (message["method"] !== "initialize") return null;
    const { protocolVersion } = message["params"] as JsonObject;
    if (protocolVersion === "2024-11-05") return null;
    return json(
      {
        jsonrpc: "2.0",
        id: message["id"],
        error: {
          code: -32602,
          message: "Unsupported protocol version",
          data: { supported: ["2024-11-05"] },
        },
      },
      {},
      400,
    );
  }, async (fake) => {
    await withBench(async (bench) => {
      const connection = await bench.connect({ url: fake.url });
      assert.equal(connection.protocol.version, "2024-11-05");
    });
  });
});

Deno.test("an SSE endpoint of another origin is refused, both origins named [C28]", async () => {
  await withFake(
    ({ method }) =>
      method === "GET" ? events("event: endpoint\ndata: http://127.0.0.1:1/message\n\n") : null,
    async (fake) => {
      await withBench(async (bench) => {
        const error = await bench.failure({ type: "sse", url: fake.url });
        assert.equal(error.code, "handshake-failed");
        assert.match(error.message, /http:\/\/127\.0\.0\.1:\d+ names .* http:\/\/127\.0\.0\.1:1,/);
      });
    },
  );
});

Deno.test("a header that HTTP does not allow is told by name, never by value [F21]", async () => {
  await withBench(async (bench) => {
    const error = await bench.failure({
      url: "http://127.0.0.1:1/",
      headers: { "X-Key": "caf\u00e9-secret" },
    });
    assert.equal(error.code, "config-invalid");
    assert.match(error.message, /"X-Key"/);
    assert.doesNotMatch(error.message, /secret/);
  });
});

import assert from "node:assert/strict";
import {
  type ConnectionLimits,
  type HttpHandler,
  type HttpListener,
  isLoopback,
  listenHttp,
} from "../../src/platform/http_listener.ts";
import { OutgoingText } from "../../src/platform/outgoing_text.ts";
import { RawHttp } from "../harness/raw_http.ts";
import { until } from "../harness/until.ts";

const LIMITS: ConnectionLimits = {
  headerBytes: 16 * 1024,
  headers: 100,
  headersMs: 30_000,
  requestMs: 60_000,
  idleMs: 60_000,
  connections: 100,
  stallMs: 30_000,
};

const SERVERS = ["runtime", "node"] as const;

/** A listener and its URL, closed at the end of the test. */
async function listening(
  server: typeof SERVERS[number],
  handler: HttpHandler,
  limits: Partial<ConnectionLimits> = {},
): Promise<AsyncDisposable & { readonly port: number; readonly url: string }> {
  const listener: HttpListener = await listenHttp({
    address: "127.0.0.1",
    port: 0,
    handler,
    limits: { ...LIMITS, ...limits },
    server,
  });
  return {
    port: listener.port,
    url: `http://127.0.0.1:${listener.port}`,
    [Symbol.asyncDispose]: () => listener.close(),
  };
}

const BODY = { mostBytes: 1_000, withinMs: 30_000 };

const echo: HttpHandler = async (request) => {
  const body = await request.text(BODY);
  return {
    status: typeof body === "string" ? 400 : 201,
    headers: { "content-type": "text/plain", "x-target": request.target },
    body: typeof body === "string" ? body : `${request.method} ${body.text}`,
  };
};

for (const server of SERVERS) {
  const test = (name: string, run: () => Promise<void>): void =>
    Deno.test(`${server}: ${name}`, run);

  test("a request is given as it was sent, and the answer as it was given", async () => {
    await using at = await listening(server, async (request) => {
      const answer = await echo(request);
      return { ...answer, headers: { ...answer.headers, "x-host": request.header("host") ?? "" } };
    });
    const response = await fetch(`${at.url}/a/b?c=%20d`, {
      method: "POST",
      body: "gr\u00fc\u00df",
    });
    assert.equal(response.status, 201);
    assert.equal(await response.text(), "POST gr\u00fc\u00df");
    assert.equal(response.headers.get("x-target"), "/a/b?c=%20d");
    assert.equal(response.headers.get("x-host"), at.url.slice("http://".length));
    assert.equal(response.headers.get("content-type"), "text/plain");
    const empty = await fetch(at.url);
    assert.equal(await empty.text(), "GET ");
    assert.equal(empty.headers.get("x-target"), "/");
  });

  test("of headers that stand twice none is taken for the only one", async () => {
    await using at = await listening(
      server,
      (request) =>
        Promise.resolve({ status: 200, headers: {}, body: request.header("authorization") ?? "" }),
    );
    await using raw = await RawHttp.connect(at.port);
    await raw.write("GET / HTTP/1.1\r\nHost: x\r\nAuthorization: a\r\nAuthorization: b\r\n\r\n");
    await until(() => raw.text.endsWith("a, b"));
    await using hosts = await RawHttp.connect(at.port);
    await hosts.write("GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n");
    await until(() => hosts.text !== "");
    if (server === "runtime") assert.match(hosts.text, /^HTTP\/1\.1 400 /);
  });

  test("a body that is too large is not read, whether it tells its length or not [H16]", async () => {
    await using at = await listening(server, echo);
    for (const body of ["x".repeat(1_001), streamOf("x".repeat(600), "x".repeat(600))]) {
      const response = await fetch(at.url, { method: "POST", body });
      assert.equal(await response.text(), "too-large");
    }
    const whole = await fetch(at.url, { method: "POST", body: streamOf("x".repeat(1_000)) });
    assert.equal(await whole.text(), `POST ${"x".repeat(1_000)}`);
  });

  test("a body that does not come is given up", async () => {
    await using at = await listening(server, async (request) => {
      const body = await request.text({ ...BODY, withinMs: 20 });
      return { status: 408, headers: { connection: "close" }, body: JSON.stringify(body) };
    });
    await using raw = await RawHttp.connect(at.port);
    await raw.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc");
    await until(() => raw.text.endsWith('"too-slow"'));
    assert.match(raw.text, /^HTTP\/1\.1 408 /);
    if (server === "node") await until(() => raw.isClosed);
  });

  test("a body that ends too early is none", async () => {
    const bodies: unknown[] = [];
    await using at = await listening(server, async (request) => {
      bodies.push(await request.text(BODY));
      return { status: 200, headers: {}, body: "" };
    });
    const raw = await RawHttp.connect(at.port);
    await raw.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc");
    raw.close();
    await until(() => bodies.length > 0);
    assert.deepEqual(bodies, ["broken"]);
  });

  test("the handler is told of a client that goes before it has an answer, and of no other", async () => {
    let gone = 0;
    let asked = 0;
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    await using at = await listening(server, async (request) => {
      request.onGone(() => gone++);
      asked++;
      if (request.target === "/held") await held;
      return { status: 200, headers: {}, body: "fine" };
    });
    const raw = await RawHttp.connect(at.port);
    await raw.write("GET /held HTTP/1.1\r\nHost: x\r\n\r\n");
    await until(() => asked === 1);
    raw.close();
    await until(() => gone === 1);
    letGo();
    await using other = await RawHttp.connect(at.port);
    await other.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await until(() => other.text.endsWith("fine"));
    assert.equal(gone, 1);
  });

  test("a body that comes piece by piece arrives as it comes, and knows when its reader goes", async () => {
    let gone = 0;
    const out = new OutgoingText({ mostWaiting: 1_000, stallMs: 30_000, onGone: () => gone++ });
    await using at = await listening(
      server,
      () =>
        Promise.resolve({
          status: 200,
          headers: { "content-type": "text/event-stream" },
          body: out,
        }),
    );
    const raw = await RawHttp.connect(at.port);
    await raw.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await until(() => raw.text.includes("text/event-stream"));
    out.push("first \u20ac");
    await until(() => raw.text.includes("first \u20ac"));
    out.push("second");
    await until(() => raw.text.includes("second"));
    raw.close();
    await until(() => gone === 1);
    assert.equal(out.isGone, true);
  });

  test("a body that comes piece by piece ends in order", async () => {
    let taken = 0;
    const out = new OutgoingText({ mostWaiting: 1_000, stallMs: 30_000, onTaken: () => taken++ });
    await using at = await listening(server, () => {
      out.push("all");
      out.end();
      return Promise.resolve({ status: 200, headers: {}, body: out });
    });
    assert.equal(await (await fetch(at.url)).text(), "all");
    await until(() => taken === 1);
  });

  test("a long answer arrives whole, and who does not read it is cut off", async () => {
    const long = "\u{1f600}\u00e4b".repeat(2_000_000);
    await using at = await listening(
      server,
      () => Promise.resolve({ status: 200, headers: {}, body: long }),
      { stallMs: 1_500 },
    );
    await using raw = await RawHttp.connect(at.port, { reads: false });
    await raw.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const response = await fetch(at.url);
    assert.ok(await response.text() === long, "the answer is another");
    // What the system holds back for it is much less than the answer.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    await raw.read();
    assert.ok(raw.text.length < long.length, "a client that does not read was waited for");
  });

  test("who is sent more than can wait for it is cut off", async () => {
    let gone = 0;
    const out = new OutgoingText({ mostWaiting: 100_000, stallMs: 30_000, onGone: () => gone++ });
    await using at = await listening(
      server,
      () => Promise.resolve({ status: 200, headers: {}, body: out }),
    );
    await using raw = await RawHttp.connect(at.port, { reads: false });
    await raw.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await until(() => {
      out.push("x".repeat(50_000));
      return gone === 1;
    });
    await raw.read();
    assert.equal(raw.isClosed, true);
  });

  test("headers that are too many or too long are refused", async () => {
    let asked = 0;
    await using at = await listening(server, () => {
      asked++;
      return Promise.resolve({ status: 200, headers: {}, body: "" });
    });
    const bombs = [
      Array.from({ length: 150 }, (_, index) => `x-${index}: 1\r\n`).join(""),
      `x-long: ${"a".repeat(1_000_000)}\r\n`,
    ];
    for (const bomb of bombs) {
      await using raw = await RawHttp.connect(at.port);
      await raw.write(`GET / HTTP/1.1\r\nHost: x\r\n${bomb}\r\n`);
      await until(() => raw.text !== "" || raw.isClosed);
      assert.match(raw.text, /^$|^HTTP\/1\.1 4(?:00|31) /);
    }
    assert.equal(asked, 0);
  });

  test("one connection carries request after request", async () => {
    await using at = await listening(server, echo);
    await using raw = await RawHttp.connect(at.port);
    for (const turn of [1, 2, 3]) {
      await raw.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nok");
      await until(() => raw.text.split("POST ok").length === turn + 1);
    }
    assert.equal(raw.isClosed, false);
  });

  test("after the end nobody is connected and nobody connects; it ends once", async () => {
    const out = new OutgoingText({ mostWaiting: 1_000, stallMs: 30_000 });
    const listener = await listenHttp({
      address: "127.0.0.1",
      port: 0,
      handler: () => Promise.resolve({ status: 200, headers: {}, body: out }),
      limits: LIMITS,
      server,
    });
    await using raw = await RawHttp.connect(listener.port);
    await raw.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await until(() => raw.text.includes("200"));
    await Promise.all([listener.close(), listener.close()]);
    await until(() => raw.isClosed);
    await assert.rejects(Deno.connect({ hostname: "127.0.0.1", port: listener.port }));
  });

  test("a port that is taken is an error with its name [F06]", async () => {
    await using at = await listening(server, echo);
    await assert.rejects(
      listenHttp({ address: "127.0.0.1", port: at.port, handler: echo, limits: LIMITS, server }),
      (error: Error & { code?: string }) => error.code === "EADDRINUSE",
    );
  });
}

Deno.test("node: who does not send its headers is cut off, and holds nobody up", async () => {
  await using at = await listening("node", echo, { headersMs: 200 });
  await using slow = await RawHttp.connect(at.port);
  await using silent = await RawHttp.connect(at.port);
  await slow.write("GET / HTTP/1.1\r\nHost: x\r\nx-");
  assert.equal(await (await fetch(at.url)).text(), "GET ");
  await until(() => slow.isClosed && silent.isClosed);
  assert.match(slow.text, /^HTTP\/1\.1 408 /);
});

Deno.test("node: who sends request upon request and reads no answer is cut off", async () => {
  let asked = 0;
  await using at = await listening("node", () => {
    asked++;
    return Promise.resolve({ status: 200, headers: {}, body: "x".repeat(200_000) });
  });
  await using deaf = await RawHttp.connect(at.port, { reads: false });
  for (let turn = 0; turn < 50; turn++) {
    await deaf.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(100));
  }
  assert.equal((await (await fetch(at.url)).text()).length, 200_000);
  await deaf.read();
  assert.ok(asked < 200, `${asked} were answered`);
  await using patient = await RawHttp.connect(at.port);
  for (let turn = 1; turn <= 40; turn++) {
    await patient.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await until(() => patient.text.length > turn * 200_000);
  }
});

Deno.test("node: there are only so many connections", async () => {
  await using at = await listening("node", echo, { connections: 2 });
  await using first = await RawHttp.connect(at.port);
  await using second = await RawHttp.connect(at.port);
  for (const raw of [first, second]) {
    await raw.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await until(() => raw.text.endsWith("GET "));
  }
  await using third = await RawHttp.connect(at.port);
  await third.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await until(() => third.isClosed);
  assert.equal(third.text, "");
});

Deno.test("isLoopback() knows the addresses that others do not reach", () => {
  for (const address of ["127.0.0.1", "127.8.8.8", "::1", "localhost"]) {
    assert.equal(isLoopback(address), true, address);
  }
  for (const address of ["0.0.0.0", "::", "10.0.0.1", "1127.0.0.1", "127.0.0.1.example"]) {
    assert.equal(isLoopback(address), false, address);
  }
});

function streamOf(...pieces: readonly string[]): ReadableStream<Uint8Array> {
  return ReadableStream.from(pieces.map((piece) => new TextEncoder().encode(piece)));
}

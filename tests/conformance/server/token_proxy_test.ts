import assert from "node:assert/strict";
import { connect } from "node:net";
import { startTokenProxy } from "./token_proxy.ts";

/** Puts a proxy before a server that answers as told, while a test runs. */
async function through(
  answer: (request: Request) => Response | Promise<Response>,
  test: (url: string) => Promise<void>,
): Promise<void> {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, answer);
  const proxy = await startTokenProxy(`http://127.0.0.1:${server.addr.port}/mcp`, "word");
  try {
    await test(proxy.url);
  } finally {
    await proxy.close();
    await server.shutdown();
  }
}

Deno.test("the proxy adds the token and changes nothing else", async () => {
  const answer = async (request: Request): Promise<Response> =>
    Response.json({ headers: Object.fromEntries(request.headers), body: await request.text() });
  await through(answer, async (url) => {
    // Twice, so that a connection is used again.
    for (const body of ["GET ", "x".repeat(100_000)]) {
      const response = await fetch(url, {
        method: "POST",
        body,
        headers: { origin: "http://a.b" },
      });
      const seen = await response.json();
      assert.equal(seen.body, body);
      assert.equal(seen.headers.authorization, "Bearer word");
      assert.equal(seen.headers.origin, "http://a.b");
      assert.equal(seen.headers.host, new URL(url).host);
    }
  });
});

Deno.test("a stream flows through the proxy piece by piece", async () => {
  const pieces = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
  const gone = Promise.withResolvers<void>();
  const answer = (): Response =>
    new Response(
      new ReadableStream<Uint8Array>({
        start: (controller) => pieces.resolve(controller),
        cancel: () => gone.resolve(),
      }),
      { headers: { "content-type": "text/event-stream" } },
    );
  await through(answer, async (url) => {
    const response = await fetch(url);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const controller = await pieces.promise;
    for (const piece of ["data: 1\n\n", "data: 2\n\n"]) {
      controller.enqueue(new TextEncoder().encode(piece));
      assert.equal((await reader?.read())?.value, piece);
    }
    await reader?.cancel();
    await gone.promise;
  });
});

Deno.test("the proxy passes a foreign host on", async () => {
  const hosts: (string | null)[] = [];
  const answer = ({ headers }: Request): Response => {
    hosts.push(headers.get("host"));
    return new Response();
  };
  await through(answer, async (url) => {
    const { hostname, port } = new URL(url);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname);
      socket.on("close", () => resolve());
      socket.on("data", () => socket.destroy());
      socket.write("GET /mcp HTTP/1.1\r\nHost: evil.example.com\r\n\r\n");
    });
  });
  assert.deepEqual(hosts, ["evil.example.com"]);
});

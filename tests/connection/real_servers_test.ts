import assert from "node:assert/strict";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { callTool, getPrompt, readResource } from "../../src/connection/calls.ts";
import {
  listPrompts,
  listResources,
  listResourceTemplates,
  listTools,
} from "../../src/connection/listing.ts";
import type { MCPServerConnection } from "../../src/model/connection.ts";
import type { ToolInfo } from "../../src/model/listing.ts";
import { npmServer } from "../harness/servers.ts";
import { type Bench, rejection, until, withBench } from "./harness.ts";
import { factory } from "./servers/two_eras.ts";

const onListen = (): void => {};

/** From the locked versions that are there already: it must start without the network. */
const EVERYTHING = npmServer("everything").args;

async function tool(connection: MCPServerConnection, name: string): Promise<ToolInfo> {
  const { items } = await listTools(connection);
  const found = items.find((item) => item.name === name);
  assert.ok(found !== undefined, `no tool ${name}`);
  return found;
}

/** What every transport of server-everything must give. */
async function checkEverything(connection: MCPServerConnection): Promise<void> {
  assert.equal(connection.protocol.era, "legacy");
  const { items, warnings } = await listTools(connection);
  assert.equal(items.length, 13);
  assert.deepEqual(warnings, []);
  assert.ok((await listResources(connection)).items.length >= 7);
  assert.equal((await listResourceTemplates(connection)).items.length, 2);
  assert.equal((await listPrompts(connection)).items.length, 4);
  const echo = await callTool(connection, await tool(connection, "echo"), { message: "hi" });
  assert.deepEqual(echo.content, [{ type: "text", text: "Echo: hi" }]);
  const reports: number[] = [];
  const long = await callTool(
    connection,
    await tool(connection, "trigger-long-running-operation"),
    { duration: 1.2, steps: 6 },
    // Less than the whole: each report gives it anew.
    { timeout: 800, onProgress: ({ progress }) => reports.push(progress) },
  );
  assert.equal(long.isError, false);
  assert.deepEqual(reports, [1, 2, 3, 4, 5, 6]);
  const prompt = await getPrompt(connection, "simple-prompt", {});
  assert.ok(Array.isArray(prompt["messages"]));
}

/** Starts server-everything as an HTTP server beside the test. */
async function withEverything(
  bench: Bench,
  kind: "streamableHttp" | "sse",
  test: (port: number) => Promise<void>,
): Promise<void> {
  const listener = Deno.listen({ port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  listener.close();
  const server = new Deno.Command(Deno.execPath(), {
    args: [...EVERYTHING, kind],
    cwd: bench.folder,
    env: { ...bench.environment, PORT: String(port) },
    clearEnv: true,
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const lines = server.stderr.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let text = ""; !/(listening|running) on port/.test(text);) {
      const { value, done } = await lines.read();
      assert.ok(!done, `it ended: ${text}`);
      text += value;
    }
    const drained = (async () => {
      while (!(await lines.read()).done);
    })();
    await test(port);
    server.kill("SIGKILL");
    await drained;
  } finally {
    try {
      server.kill("SIGKILL");
    } catch {
      // It has ended.
    }
    await server.status;
    await lines.cancel();
  }
}

Deno.test("server-everything over stdio gives all its lists, and ends when it is closed", async () => {
  await withBench(async (bench) => {
    const connection = await bench.connect({
      command: Deno.execPath(),
      args: [...EVERYTHING, "stdio"],
    });
    await checkEverything(connection);
    const { items } = await listResources(connection);
    const read = await readResource(connection, items[0]?.key ?? "");
    assert.ok(Array.isArray(read["contents"]));
    await connection.close();
    assert.deepEqual(bench.children(), []);
  });
});

Deno.test("server-everything that was promised roots asks for them, is told -32601, and ends all the same", async () => {
  await withBench(async (bench) => {
    const connection = await bench.connect(
      { command: Deno.execPath(), args: [...EVERYTHING, "stdio"] },
      { capabilities: { roots: {} } },
    );
    assert.ok((await listTools(connection)).items.length >= 13);
    await connection.close();
    assert.deepEqual(bench.children(), []);
  });
});

Deno.test("server-everything over Streamable HTTP gives the same", async () => {
  await withBench(async (bench) => {
    await withEverything(bench, "streamableHttp", async (port) => {
      const connection = await bench.connect({ url: `http://127.0.0.1:${port}/mcp` });
      assert.equal(connection.transport, "streamable_http");
      await checkEverything(connection);
      await connection.close();
    });
  });
});

Deno.test("server-everything over SSE gives the same, also when no type says so [A14]", async () => {
  await withBench(async (bench) => {
    await withEverything(bench, "sse", async (port) => {
      const url = `http://127.0.0.1:${port}/sse`;
      const connection = await bench.connect({ url });
      assert.equal(connection.transport, "sse");
      await checkEverything(connection);
      await connection.close();
      const named = await bench.connect({ url, type: "sse" });
      assert.equal((await listTools(named)).items.length, 13);
      await named.close();
    });
  });
});

Deno.test("an SSE server that goes away fails what waits at once", async () => {
  await withBench(async (bench) => {
    let connection: MCPServerConnection | undefined;
    await withEverything(bench, "sse", async (port) => {
      connection = await bench.connect({ type: "sse", url: `http://127.0.0.1:${port}/sse` });
    });
    assert.equal((await connection?.closed)?.code, "connection-closed");
  });
});

Deno.test("a server of SDK 1.x is spoken to in the legacy era", async () => {
  await withBench(async (bench) => {
    const connection = await bench.connect(bench.program("legacy.ts"));
    assert.deepEqual(connection.protocol, { era: "legacy", version: "2025-11-25" });
    const sum = await callTool(connection, await tool(connection, "add"), { a: 2, b: 3 });
    assert.deepEqual(sum.content, [{ type: "text", text: "5" }]);
    const prompt = await getPrompt(connection, "greet", { name: "Ada" });
    assert.match(JSON.stringify(prompt), /Hello Ada/);
    assert.match(JSON.stringify(await readResource(connection, "note://one")), /a note/);
    const error = await rejection(readResource(connection, "note://none"));
    assert.equal(error.code, "protocol-error");
  });
});

Deno.test("a modern-only server over stdio is found on the same process after it refused initialize", async () => {
  await withBench(async (bench) => {
    const connection = await bench.connect(bench.program("two_eras.ts", "modern"));
    await checkModern(connection);
    assert.equal(bench.children().length, 1);
    const known = await bench.connect(bench.program("two_eras.ts", "modern"), {
      knownProtocol: { era: "modern", version: "2026-07-28" },
    });
    assert.equal(known.protocol.era, "modern");
    const pinned = await bench.connect({
      ...bench.program("two_eras.ts", "modern"),
      protocol: "2026-07-28",
    });
    assert.equal(pinned.protocol.era, "modern");
  });
});

Deno.test("a call to a modern server over stdio is cancelled by notification", async () => {
  await withBench(async (bench) => {
    const connection = await bench.connect(bench.program("two_eras.ts", "modern"));
    const echo = await tool(connection, "echo");
    const slow = callTool(connection, { ...echo, name: "slow" }, {}, { timeout: 200 });
    assert.equal((await rejection(slow)).code, "request-timeout");
    await until(() => bench.stderr.includes("cancelled at the server"), "the server was told");
  });
});

Deno.test("a server of both eras is taken as legacy over stdio, and as its config says", async () => {
  await withBench(async (bench) => {
    const first = await bench.connect(bench.program("two_eras.ts", "dual"));
    assert.deepEqual(first.protocol, { era: "legacy", version: "2025-11-25" });
    const echo = await callTool(first, await tool(first, "echo"), { text: "x" });
    assert.deepEqual(echo.content, [{ type: "text", text: '{"text":"x"}' }]);
    const pinned = await bench.connect({
      ...bench.program("two_eras.ts", "dual"),
      protocol: "2026-07-28",
    });
    assert.equal(pinned.protocol.era, "modern");
  });
});

Deno.test("a modern server over HTTP gets envelope, headers and cancellation, and is listened to", async () => {
  const handler = createMcpHandler(factory, { legacy: "reject" });
  const heads: Headers[] = [];
  let aborted = 0;
  const http = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen },
    (request): Response | Promise<Response> => {
      heads.push(request.headers);
      if (request.headers.get("mcp-name") === "slow") {
        const body = new ReadableStream<Uint8Array>({
          start(controller): void {
            controller.enqueue(new TextEncoder().encode(": wait\n\n"));
          },
          cancel(): void {
            aborted++;
          },
        });
        return new Response(body, { headers: { "content-type": "text/event-stream" } });
      }
      return handler.fetch(request);
    },
  );
  try {
    await withBench(async (bench) => {
      const connection = await bench.connect({ url: `http://127.0.0.1:${http.addr.port}/mcp` });
      await checkModern(connection, ["bad-header"]);
      const region = await callTool(connection, await tool(connection, "region"), { region: "čz" });
      assert.equal(region.isError, false);
      const head = heads.find((headers) => headers.get("mcp-name") === "region");
      assert.equal(head?.get("mcp-method"), "tools/call");
      assert.equal(head?.get("mcp-param-region"), `=?base64?${btoa("\u00c4\u008dz")}?=`);
      const echo = await tool(connection, "echo");
      const slow = callTool(connection, { ...echo, name: "slow" }, {}, { timeout: 100 });
      assert.equal((await rejection(slow)).code, "request-timeout");
      await until(() => aborted === 1, "the stream was closed");
      await until(
        () => heads.some((headers) => headers.get("mcp-method") === "subscriptions/listen"),
        "it listens",
      );
      await until(() => {
        handler.notify.toolsChanged();
        return bench.notifications.some(({ method }) =>
          method === "notifications/tools/list_changed"
        );
      }, "a change was told");
      await connection.close();
    });
  } finally {
    await handler.close();
    await http.shutdown();
  }
});

Deno.test("a wrong memory of the era is corrected over HTTP", async () => {
  const handler = createMcpHandler(factory, { legacy: "reject" });
  const http = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen },
    (request) => handler.fetch(request),
  );
  try {
    await withBench(async (bench) => {
      const url = `http://127.0.0.1:${http.addr.port}/mcp`;
      const connection = await bench.connect({ url }, {
        knownProtocol: { era: "legacy", version: "2025-11-25" },
      });
      await checkModern(connection, ["bad-header"]);
      await connection.close();
      const error = await bench.failure({ url, protocol: "legacy" });
      assert.equal(error.code, "handshake-failed");
    });
  } finally {
    await handler.close();
    await http.shutdown();
  }
});

Deno.test("a configured modern revision that a server does not speak is an error", async () => {
  await withBench(async (bench) => {
    const error = await bench.failure({ ...bench.program("legacy.ts"), protocol: "2026-07-28" });
    assert.equal(error.code, "handshake-failed");
    assert.match(error.message, /2026-07-28/);
  });
});

async function checkModern(connection: MCPServerConnection, left: string[] = []): Promise<void> {
  assert.deepEqual(connection.protocol, { era: "modern", version: "2026-07-28" });
  assert.deepEqual(connection.server, { name: "two-eras", version: "2.0.0" });
  assert.equal(connection.instructions, "Be kind");
  const { items, warnings, ttlMs, cacheScope } = await listTools(connection);
  const all = ["echo", "region", "ask", "bad-header"];
  assert.deepEqual(items.map(({ name }) => name), all.filter((name) => !left.includes(name)));
  assert.equal(warnings.length, left.length);
  assert.equal(ttlMs, 60_000);
  assert.equal(cacheScope, "private");
  const echo = await callTool(connection, await tool(connection, "echo"), { text: "x" });
  assert.deepEqual(echo.content, [{ type: "text", text: '{"text":"x"}' }]);
  const ask = await rejection(callTool(connection, await tool(connection, "ask"), {}));
  assert.equal(ask.code, "protocol-error");
}

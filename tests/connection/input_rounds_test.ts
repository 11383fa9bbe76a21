import assert from "node:assert/strict";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { callTool, getPrompt, readResource } from "../../src/connection/calls.ts";
import { answeredParams, MOST_ROUNDS } from "../../src/connection/input_rounds.ts";
import type { MCPServerConnection } from "../../src/model/connection.ts";
import type { HostHandlers } from "../../src/model/host_handlers.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { RequestOptions } from "../../src/model/tool.ts";
import { FakeTimers } from "./fake_timers.ts";
import { type Bench, rejection, withBench } from "./harness.ts";
import { factory } from "./servers/asking_modern.ts";
import { toolNamed } from "./tool_named.ts";

const FILLED = { action: "accept", content: { name: "Ada", colour: "green" } };

const HANDLERS: HostHandlers = {
  elicit: () => ({ action: "accept", content: { name: "Ada" } }),
  elicitUrl: ({ url }) => ({ action: url === "https://example.com/" ? "accept" : "decline" }),
  sample: ({ maxTokens }) => ({
    role: "assistant",
    model: `m${maxTokens}`,
    content: { type: "text", text: "x" },
  }),
  roots: () => [{ uri: "file:///work" }],
};

async function call(
  connection: MCPServerConnection,
  name: string,
  options?: RequestOptions,
): Promise<JsonObject> {
  const result = await callTool(connection, toolNamed(name), { k: 1 }, options);
  return JSON.parse(String(result.content[0]?.["text"]));
}

/** Runs a test over both transports of the modern server. */
async function overBoth(
  test: (
    connect: (handlers?: HostHandlers, capabilities?: JsonObject) => Promise<MCPServerConnection>,
    bench: Bench,
  ) => Promise<void>,
): Promise<void> {
  const handler = createMcpHandler(factory, { legacy: "reject" });
  const http = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    (request) => handler.fetch(request),
  );
  try {
    await withBench(async (bench) => {
      const stdio = { ...bench.program("asking_modern.ts"), protocol: "2026-07-28" };
      for (const config of [stdio, { url: `http://127.0.0.1:${http.addr.port}/mcp` }]) {
        await test((handlers, capabilities) => {
          return bench.connect(config, { handlers, capabilities });
        }, bench);
      }
    });
  } finally {
    await handler.close();
    await http.shutdown();
  }
}

Deno.test("what a modern result asks for is answered by the host, and the request sent again", async () => {
  await overBoth(async (connect) => {
    const connection = await connect(HANDLERS);
    assert.deepEqual(await call(connection, "all"), {
      args: { k: 1 },
      inputResponses: {
        form: FILLED,
        page: { action: "accept" },
        model: { role: "assistant", model: "m5", content: { type: "text", text: "x" } },
        folders: { roots: [{ uri: "file:///work" }] },
      },
    });
    const prompt = await getPrompt(connection, "p", {});
    assert.deepEqual(JSON.parse(String(prompt["description"])), { form: FILLED });
    assert.match(JSON.stringify(await readResource(connection, "note://x")), /Ada/);
  });
});

Deno.test("the state of a request comes back as it went, and one that is put off is sent again", async () => {
  await overBoth(async (connect) => {
    const connection = await connect(HANDLERS);
    assert.deepEqual(await call(connection, "state"), { inputResponses: { form: FILLED } });
    assert.equal(await call(connection, "later"), "now");
  });
});

Deno.test("a server that asks without an end is stopped after its rounds", async () => {
  await overBoth(async (connect) => {
    let asked = 0;
    const connection = await connect({
      elicit: () => {
        asked++;
        return { action: "decline" };
      },
    });
    const error = await rejection(call(connection, "endless"));
    assert.equal(error.code, "protocol-error");
    assert.match(error.message, /"tools\/call" on "s": it still asks for input after 10 rounds/);
    assert.equal(asked, MOST_ROUNDS);
  });
});

Deno.test("what nobody answers is named, and ends the other questions", async () => {
  await overBoth(async (connect) => {
    let other: AbortSignal | undefined;
    const connection = await connect({
      elicit: (_request, { signal }) => {
        other = signal;
        return new Promise(() => {});
      },
    }, { sampling: {}, roots: {}, elicitation: { url: {} } });
    const error = await rejection(call(connection, "all"));
    assert.equal(error.code, "protocol-error");
    assert.match(error.message, /it asks for "[a-zA-Z/]+".* was not answered/);
    assert.equal(error.details["resultType"], "input_required");
    assert.equal(other?.aborted, true);
  });
});

Deno.test("the user may take longer than the time-out of a call, and an abort ends the question", async () => {
  await overBoth(async (connect) => {
    let question: AbortSignal | undefined;
    let wait = 600;
    const connection = await connect({
      elicit: async (_request, { signal }) => {
        question = signal;
        await new Promise((resolve) => setTimeout(resolve, wait));
        return { action: "accept", content: { name: "Ada" } };
      },
    });
    assert.deepEqual(await call(connection, "state", { timeout: 500 }), {
      inputResponses: { form: FILLED },
    });
    wait = 0;
    const caller = new AbortController();
    const work = call(connection, "endless", { signal: caller.signal });
    setTimeout(() => caller.abort(), 50);
    wait = 300;
    const error = await rejection(work);
    assert.equal(error.code, "aborted");
    assert.equal(question?.aborted, true);
    // Its timer is the test's own.
    await new Promise((resolve) => setTimeout(resolve, 350));
  });
});

Deno.test("a handler that never settles holds a call for ten minutes, and no longer", async () => {
  let question: AbortSignal | null = null;
  const connection = {
    name: "s",
    host: { ended: new AbortController().signal },
  } as unknown as MCPServerConnection;
  const timers = new FakeTimers();
  const asks = { inputRequests: { a: { method: "roots/list" } } };
  const error = rejection(answeredParams(connection, asks, {
    method: "tools/call",
    params: {},
    signal: undefined,
    ask: (_method, _params, signal) => {
      question = signal;
      return new Promise(() => {});
    },
    timers,
  }));
  timers.advance(599_999);
  assert.equal((question as AbortSignal | null)?.aborted, false);
  timers.advance(1);
  assert.equal((await error).code, "request-timeout");
  assert.equal((question as AbortSignal | null)?.aborted, true);
  assert.equal(timers.size, 0);
});

Deno.test("progress keeps a modern call alive beyond its time-out [C16]", async () => {
  await overBoth(async (connect) => {
    const connection = await connect();
    const steps: number[] = [];
    const onProgress = ({ progress }: { readonly progress: number }): number =>
      steps.push(progress);
    assert.equal(await call(connection, "progress", { timeout: 500, onProgress }), "done");
    assert.deepEqual(steps, [1, 2, 3, 4, 5]);
  });
});

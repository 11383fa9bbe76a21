import assert from "node:assert/strict";
import { callTool } from "../../src/connection/calls.ts";
import type { HandlerContext } from "../../src/model/host_handlers.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { npmServer } from "../harness/servers.ts";
import { asked, FORM, HANDLERS, overBoth } from "./asking_host.ts";
import { until, withBench } from "./harness.ts";
import { toolNamed } from "./tool_named.ts";

/** What the SDK adds to the params of a request. */
function metaOf(answer: JsonObject): JsonObject {
  const { _meta } = answer["params"] as JsonObject;
  return _meta === undefined ? {} : { _meta };
}

Deno.test("a server's forms, pages, samples and roots are answered by the host", async () => {
  await overBoth(async (connect) => {
    const connection = await connect(HANDLERS);
    assert.deepEqual(await asked(connection, FORM), {
      action: "accept",
      content: { name: "Ada", done: false, colour: "green", count: 3, kinds: ["b"] },
    });
    const page = { mode: "url", elicitationId: "e1", url: "https://example.com/", message: "Look" };
    assert.deepEqual(await asked(connection, { method: "elicitation/create", params: page }), {
      action: "accept",
    });
    const params = { messages: [{ role: "user", content: { type: "text", text: "x" } }] };
    const sample = await asked(connection, {
      method: "sampling/createMessage",
      params: { ...params, maxTokens: 9 },
    });
    assert.deepEqual(sample, {
      role: "assistant",
      model: "m1",
      content: { type: "text", text: "1 messages" },
      stopReason: "endTurn",
    });
    assert.deepEqual(await asked(connection, { method: "roots/list" }), {
      roots: [{ uri: "file:///work", name: "work" }, { uri: "file:///other" }],
    });
    assert.deepEqual(await asked(connection, { method: "ping" }), {});
  });
});

Deno.test("what no handler answers is refused, and an unknown method too", async () => {
  await overBoth(async (connect) => {
    const promised = { elicitation: { form: {} }, sampling: { tools: {} }, roots: {} };
    const connection = await connect(undefined, promised);
    for (const method of ["elicitation/create", "sampling/createMessage", "roots/list"]) {
      assert.equal((await asked(connection, { ...FORM, method }))["code"], -32601, method);
    }
    const onlyForms = await connect({ elicit: () => ({ action: "decline" }) }, {
      elicitation: { url: {} },
    });
    assert.equal((await asked(onlyForms, { method: "x/unknown" }))["code"], -32601);
    assert.deepEqual(await asked(onlyForms, FORM), { action: "decline" });
    const page = { mode: "url", elicitationId: "e", url: "https://example.com/", message: "" };
    const refused = await asked(onlyForms, { method: "elicitation/create", params: page });
    assert.equal(refused["code"], -32602);
  });
});

Deno.test("a host that passes requests on gets them as they come, where nothing else answers", async () => {
  await overBoth(async (connect) => {
    const connection = await connect({
      roots: () => [],
      request: (method, params) => ({ method, params, extra: [1] }),
    }, { elicitation: { url: {} }, sampling: {}, experimental: {} });
    for (const method of ["elicitation/create", "sampling/createMessage", "x/y"]) {
      const params = { mode: "url", tools: [{}] };
      const answer = await asked(connection, { method, params });
      assert.deepEqual(answer, { method, params: { ...params, ...metaOf(answer) }, extra: [1] });
    }
    assert.deepEqual(await asked(connection, { method: "roots/list" }), { roots: [] });
  });
});

Deno.test("a page that is no web address is never shown to the host", async () => {
  await withBench(async (bench) => {
    const shown: string[] = [];
    const connection = await bench.connect(bench.program("asking_legacy.ts"), {
      handlers: {
        elicitUrl: ({ url }) => {
          shown.push(url);
          return { action: "accept" };
        },
      },
    });
    for (const url of ["file:///etc/passwd", "javascript:alert(1)", "vscode://x", ""]) {
      const params = { mode: "url", elicitationId: "e", url, message: "" };
      const answer = await asked(connection, { method: "elicitation/create", params });
      assert.equal(answer["code"], -32602, url);
    }
    assert.deepEqual(shown, []);
  });
});

Deno.test("samples with tools reach only a host that declares them", async () => {
  await withBench(async (bench) => {
    const params = { messages: [], maxTokens: 1, tools: [{ name: "t", inputSchema: {} }] };
    const request = { method: "sampling/createMessage", params };
    const plain = await bench.connect(bench.program("asking_legacy.ts"), { handlers: HANDLERS });
    assert.equal((await asked(plain, request))["code"], -32602);
    const tools: unknown[] = [];
    const able = await bench.connect(bench.program("asking_legacy.ts"), {
      capabilities: { sampling: { tools: {} } },
      handlers: {
        sample: (given) => {
          tools.push(...given.tools);
          return { role: "assistant", model: "m", content: [{ type: "text", text: "x" }] };
        },
      },
    });
    assert.equal((await asked(able, request))["model"], "m");
    assert.deepEqual(tools, params.tools);
  });
});

Deno.test("a handler that throws fails its request alone, without its words", async () => {
  await overBoth(async (connect) => {
    let error: unknown = new Error("the password is 1234");
    const connection = await connect({
      elicit: () => {
        throw error;
      },
    });
    const answer = await asked(connection, FORM);
    assert.equal(answer["code"], -32603);
    assert.doesNotMatch(JSON.stringify(answer), /1234/);
    error = Object.assign(new Error("The user said no"), { code: -1 });
    const refusal = await asked(connection, FORM);
    assert.equal(refusal["code"], -1);
    assert.match(String(refusal["message"]), /The user said no/);
    assert.deepEqual(await asked(connection, { method: "ping" }), {});
  });
});

Deno.test("a handler's signal fires when the server withdraws its request, and when all ends", async () => {
  await overBoth(async (connect) => {
    const contexts: HandlerContext[] = [];
    const connection = await connect({
      elicit: (_request, context) => {
        contexts.push(context);
        return new Promise(() => {});
      },
    });
    const answer = await asked(connection, FORM, { within: 300 });
    assert.match(String(answer["message"]), /timed? ?out|abort/i);
    await until(() => contexts[0]?.signal.aborted === true, "the first handler was told");
    assert.equal(contexts[0]?.server, "s");
    const left = asked(connection, FORM).catch(() => {});
    await until(() => contexts.length === 2, "it asked again");
    assert.equal(contexts[1]?.signal.aborted, false);
    await connection.close();
    assert.equal(contexts[1]?.signal.aborted, true);
    await left;
  });
});

Deno.test("a call does not time out while its server waits for the user [C16]", async () => {
  await overBoth(async (connect) => {
    const connection = await connect({
      elicit: async () => {
        await new Promise((resolve) => setTimeout(resolve, 700));
        return { action: "cancel" };
      },
    });
    assert.deepEqual(await asked(connection, FORM, { timeout: 300 }), { action: "cancel" });
  });
});

Deno.test("roots that change are told to whom it was promised", async () => {
  await overBoth(async (connect) => {
    const connection = await connect(HANDLERS);
    await connection.rootsChanged();
    const seen = async (): Promise<string> =>
      JSON.stringify((await callTool(connection, toolNamed("seen"), {})).content);
    const end = performance.now() + 5_000;
    while (!(await seen()).includes("roots changed")) assert.ok(performance.now() < end);
    const other = await connect({ elicit: () => ({ action: "cancel" }) });
    await other.rootsChanged();
    const said = await callTool(other, toolNamed("seen"), {});
    assert.doesNotMatch(JSON.stringify(said.content), /roots changed/);
  });
});

Deno.test("server-everything gets forms, samples and roots", async () => {
  await withBench(async (bench) => {
    const connection = await bench.connect({
      command: Deno.execPath(),
      args: [...npmServer("everything").args, "stdio"],
    }, { handlers: HANDLERS });
    const text = async (name: string, args: JsonObject = {}): Promise<string> =>
      JSON.stringify((await callTool(connection, toolNamed(name), args)).content);
    // It asks for the roots once the handshake is done, and offers more tools then.
    let form = await text("trigger-elicitation-request");
    const end = performance.now() + 5_000;
    while (/not found/.test(form)) {
      assert.ok(performance.now() < end);
      form = await text("trigger-elicitation-request");
    }
    assert.match(form, /User provided the requested information/);
    assert.match(form, /It was a dark and stormy night/);
    assert.match(await text("trigger-sampling-request", { prompt: "hi" }), /1 messages/);
    assert.match(await text("get-roots-list"), /file:\/\/\/other/);
  });
});

import assert from "node:assert/strict";
import { forwardRequest } from "../../src/connection/forward_request.ts";
import type { MCPServerConnection } from "../../src/model/connection.ts";
import type { ForwardOptions } from "../../src/model/forward.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { WireTraceEvent } from "../../src/model/wire_trace.ts";
import { FORM, overBoth } from "./asking_host.ts";
import { everywhere } from "./everywhere.ts";
import { until } from "./harness.ts";
import { toolNamed } from "./tool_named.ts";

async function forwardCall(
  connection: MCPServerConnection,
  name: string,
  args: JsonObject,
  options: ForwardOptions,
): Promise<JsonObject> {
  const params = { name, arguments: args };
  const request = { method: "tools/call", params, tool: toolNamed(name) };
  return await forwardRequest(connection, request, options);
}

Deno.test("a handler learns for which call its server asks, where that is sure", async () => {
  await overBoth(async (connect) => {
    const calls: (object | null)[] = [];
    const answers: (() => void)[] = [];
    const connection = await connect({
      request: async (_method, _params, { call }) => {
        calls.push(call);
        await new Promise<void>((resolve) => answers.push(resolve));
        return { action: "decline" };
      },
    }, { elicitation: { form: {} } });
    const tokens = [{ call: 1 }, { call: 2 }] as const;
    const ask = (call?: object): Promise<JsonObject> =>
      forwardCall(connection, "ask", { ...FORM }, call === undefined ? {} : { call });
    const answered = async (work: readonly Promise<unknown>[]): Promise<void> => {
      for (const answer of answers.splice(0)) answer();
      await Promise.all(work);
    };
    const alone = ask(tokens[0]);
    await until(() => calls.length === 1, "it asks");
    assert.equal(calls.pop(), tokens[0]);
    await answered([alone]);

    const first = ask(tokens[0]);
    await until(() => calls.length === 1, "the first asks");
    const second = ask(tokens[1]);
    await until(() => calls.length === 2, "the second asks");
    const isHttp = connection.transport === "streamable_http";
    assert.deepEqual(calls.splice(0), [tokens[0], isHttp ? tokens[1] : null]);
    await answered([first, second]);

    const plain = ask();
    await until(() => calls.length === 1, "it asks again");
    assert.equal(calls.pop(), null);
    await answered([plain]);
  });
});

Deno.test("a log line is told to the request that it belongs to, and to the host as its own", async () => {
  await everywhere(async ({ era, config }, bench) => {
    const connection = await bench.connect(config);
    const isPiped = connection.transport === "stdio";
    const line = { level: "info", logger: "x", data: { a: [1] }, unknown: 2 };
    const call = { call: 1 };
    const told: JsonObject[] = [];
    const method = "notifications/message";
    bench.notifications.splice(0);
    await forwardCall(connection, "notify", { method, params: line }, {
      call,
      onLog: (params) => told.push(params),
      asker: { clientInfo: null, capabilities: {}, logLevel: "debug" },
    });
    const heard = (): typeof bench.notifications =>
      bench.notifications.filter((notification) => notification.method === method);
    await until(() => heard().length === 1, "the host hears it too");
    const isSure = !isPiped || era === "modern";
    assert.deepEqual(told, isSure ? [line] : []);
    assert.deepEqual(heard(), [{ method, params: line, ...(isSure ? { call } : {}) }]);
    assert.equal(heard()[0]?.call, isSure ? call : undefined);
  });
});

Deno.test("a callback for log lines that throws costs the host no line", async () => {
  await everywhere(async ({ era, config }, bench) => {
    if (era === "legacy") return;
    const connection = await bench.connect(config);
    bench.notifications.splice(0);
    const line = { method: "notifications/message", params: { level: "info", data: 1 } };
    await forwardCall(connection, "notify", line, {
      onLog: () => {
        throw new Error("mine");
      },
    });
    await until(() => bench.notifications.length === 1, "the host hears it");
  });
});

Deno.test("a host hears every notification as its server sent it, known or not", async () => {
  await everywhere(async ({ era, config, touch }, bench) => {
    const capabilities = { elicitation: { url: {} } };
    const connection = await bench.connect(config, { capabilities });
    const isPiped = connection.transport === "stdio";
    await connection.subscribe("note://one");
    bench.notifications.splice(0);
    await touch(connection, "note://one");
    await until(() => bench.notifications.length > 0, "the change is told");
    const [update] = bench.notifications.splice(0);
    assert.equal(update?.method, "notifications/resources/updated");
    const { _meta: meta, ...params } = update?.params ?? {};
    assert.deepEqual(params, { uri: "note://one" });
    assert.equal(meta === undefined, era === "legacy", "a stream of changes is named");

    const call = { call: 1 };
    // In the modern era lists are told of over streams of changes alone, and pages not at all.
    const known = era === "legacy" ? ["tools/list_changed", "elicitation/complete"] : [];
    for (const name of [...known, "x/unknown"]) {
      const sent = { method: `notifications/${name}`, params: { elicitationId: "e", odd: [1] } };
      bench.notifications.splice(0);
      await forwardCall(connection, "notify", sent, { call });
      await until(() => bench.notifications.length > 0, `${name} is told`);
      assert.deepEqual(bench.notifications, [{ ...sent, ...(isPiped ? {} : { call }) }]);
    }
  });
});

Deno.test("what the host refuses with reaches the server, its data too", async () => {
  await overBoth(async (connect) => {
    const data = { elicitations: [{ url: "https://example.com" }], n: null };
    const connection = await connect({
      request: () => {
        throw Object.assign(new Error("Not today"), { code: -32001, data });
      },
    }, { elicitation: {} });
    const frames = await forwardCall(connection, "ask", { ...FORM, whole: true }, {});
    const [content] = frames["content"] as JsonObject[];
    const answer = JSON.parse(String(content?.["text"]));
    assert.equal(answer.code, -32001);
    assert.match(answer.message, /Not today/);
    assert.deepEqual(answer.data, data);
  });
});

Deno.test("a host that passes requests on is declared as it says, to the letter", async () => {
  const capabilities = {
    elicitation: {},
    sampling: { context: {}, tools: {} },
    tasks: { list: {}, requests: { sampling: { createMessage: {} } } },
    extensions: { "io.example/x": { a: 1 } },
  };
  await everywhere(async ({ era, config }, bench) => {
    const frames: WireTraceEvent[] = [];
    const trace = (event: WireTraceEvent): unknown => frames.push(event);
    const handlers = { request: (): JsonObject => ({}) };
    const connection = await bench.connect(config, { handlers, capabilities, trace });
    const first = era === "legacy" ? "initialize" : "server/discover";
    const sent = frames.filter(({ method, direction }) => direction === "sent" && method === first);
    const declared = sent.map(({ frame }) => {
      const { params } = JSON.parse(frame);
      return params.capabilities ?? params._meta["io.modelcontextprotocol/clientCapabilities"];
    });
    assert.deepEqual(declared.at(-1), capabilities, `${era} ${connection.transport}`);
  });
});

Deno.test("neither a handler nor a trace sees how a message is related to a request", async () => {
  await everywhere(async ({ era, config }, bench) => {
    if (era === "modern") return;
    const frames: WireTraceEvent[] = [];
    const trace = (event: WireTraceEvent): unknown => frames.push(event);
    const seen: JsonObject[] = [];
    const handlers = {
      request: (_method: string, params: JsonObject): JsonObject => {
        seen.push(params);
        return { action: "decline" };
      },
    };
    const capabilities = { elicitation: { form: {} } };
    const connection = await bench.connect(config, { handlers, capabilities, trace });
    await forwardCall(connection, "ask", { ...FORM }, { call: {} });
    assert.equal(seen.length, 1);
    assert.doesNotMatch(JSON.stringify([seen, frames]), /dev\.hotplug/);
  });
});

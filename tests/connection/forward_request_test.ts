import assert from "node:assert/strict";
import { forwardRequest, ownWords } from "../../src/connection/forward_request.ts";
import type { MCPServerConnection } from "../../src/model/connection.ts";
import type { Asker, ForwardOptions } from "../../src/model/forward.ts";
import { isJsonObject, type JsonObject } from "../../src/model/json.ts";
import type { Progress } from "../../src/model/tool.ts";
import type { WireTraceEvent } from "../../src/model/wire_trace.ts";
import { callTool } from "../../src/connection/calls.ts";
import { resultText } from "../../src/connection/result_text.ts";
import { everywhere, type Place } from "./everywhere.ts";
import { type Bench, rejection, withBench } from "./harness.ts";
import { toolNamed } from "./tool_named.ts";

const FORWARDED = { legacy: "forward", modern: "forward" } as const;

/** Forwards a call of a tool. */
async function forwardCall(
  connection: MCPServerConnection,
  given: JsonObject,
  options: ForwardOptions = {},
): Promise<JsonObject> {
  const { params, meta } = ownWords(given, options.meta);
  const request = { method: "tools/call", params, tool: toolNamed(String(given["name"])) };
  return await forwardRequest(connection, request, { ...options, meta });
}

/** Connects, and keeps what is sent. */
async function traced(
  { config }: Place,
  bench: Bench,
  capabilities: JsonObject = {},
): Promise<{ readonly connection: MCPServerConnection; sent(method: string): JsonObject[] }> {
  const frames: WireTraceEvent[] = [];
  const connection = await bench.connect(config, {
    capabilities,
    trace: (event) => frames.push(event),
  });
  const sent = (method: string): JsonObject[] =>
    frames.filter((frame) => frame.direction === "sent" && frame.method === method)
      .map(({ frame }) => JSON.parse(frame).params);
  return { connection, sent };
}

const ASKER: Asker = {
  clientInfo: { name: "a host", version: "7", title: "A Host" },
  capabilities: { elicitation: { form: {} }, experimental: { odd: { x: 1 } } },
  logLevel: "debug",
};

const SENDER = {
  "io.modelcontextprotocol/protocolVersion": "2099-01-01",
  "io.modelcontextprotocol/clientInfo": { name: "forged" },
  "io.modelcontextprotocol/clientCapabilities": { sampling: {} },
  "io.modelcontextprotocol/logLevel": "error",
  progressToken: "of the host",
};

Deno.test("a request is forwarded in its own words, but for who sends it", async () => {
  await everywhere(async (place, bench) => {
    const { connection, sent } = await traced(place, bench, { roots: {} });
    const kept = { traceparent: "00-a-b-01", "com.example/x": [1], "io.modelcontextprotocol/y": 1 };
    const words = {
      name: "nothing",
      arguments: { deep: { "a b": [null, 1.5, "ü"] } },
      task: { ttl: 5 },
      inputResponses: { k: { action: "accept" } },
      requestState: "s\u0000 1",
      unknown: { member: true },
    };
    const given = { ...words, _meta: { ...kept, ...SENDER } };
    // That it knows no tasks is for the server to say.
    await forwardCall(connection, given, { asker: ASKER, meta: { more: 1, ...SENDER } })
      .catch(({ code }) => assert.equal(code, "protocol-error"));
    await forwardCall(connection, { name: "nothing" });
    const [first, second] = sent("tools/call");
    const { _meta: meta, ...rest } = first ?? {};
    assert.deepEqual(rest, words);
    assert.ok(isJsonObject(meta));
    const { progressToken, ...others } = meta;
    assert.match(String(progressToken), /^hp-/);
    const asker = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": ASKER.clientInfo,
      "io.modelcontextprotocol/clientCapabilities": ASKER.capabilities,
      "io.modelcontextprotocol/logLevel": "debug",
    };
    const isModern = place.era === "modern";
    assert.deepEqual(others, { ...kept, more: 1, ...(isModern ? asker : {}) });
    const own = second?.["_meta"] as JsonObject;
    assert.deepEqual(
      own["io.modelcontextprotocol/clientCapabilities"],
      isModern ? { roots: {} } : undefined,
    );
    assert.equal(own["io.modelcontextprotocol/logLevel"], undefined);
  });
});

Deno.test("an asker without a name and a log level has the name of the connection and no log", async () => {
  await everywhere(async (place, bench) => {
    if (place.era === "legacy") return;
    const { connection, sent } = await traced(place, bench);
    await connection.setLogLevel("debug");
    const asker = { clientInfo: null, capabilities: {}, logLevel: null };
    await forwardCall(connection, { name: "nothing" }, { asker });
    const meta = sent("tools/call")[0]?.["_meta"] as JsonObject;
    const info = meta["io.modelcontextprotocol/clientInfo"] as JsonObject;
    assert.equal(info["name"], "hotplug");
    assert.deepEqual(meta["io.modelcontextprotocol/clientCapabilities"], {});
    assert.equal(meta["io.modelcontextprotocol/logLevel"], undefined);
  });
});

Deno.test("input that is asked for is given on, and so is the retry, state and answers untouched", async () => {
  await everywhere(async (place, bench) => {
    if (place.era === "legacy") return;
    const { connection, sent } = await traced(place, bench);
    const asker = { ...ASKER, logLevel: null };
    const call = { name: "state", arguments: { a: 1 } };
    const result = await forwardCall(connection, call, { asker, input: FORWARDED });
    assert.equal(result["resultType"], "input_required");
    assert.equal(result["requestState"], '{"a": 1}  \u0161\n');
    const { requestState, inputRequests } = result;
    assert.deepEqual(Object.keys(inputRequests as JsonObject), ["form"]);
    const inputResponses = { form: { action: "accept", content: { name: "Ada" }, extra: 1 } };
    const retry = { ...call, inputResponses, requestState };
    const done = await forwardCall(connection, retry, { asker, input: FORWARDED });
    assert.match(JSON.stringify(done), /Ada/);
    const { _meta, ...params } = sent("tools/call")[1] ?? {};
    assert.deepEqual(params, retry);
  });
});

Deno.test("input that is asked for is answered by who is named, not by the host", async () => {
  await everywhere(async (place, bench) => {
    if (place.era === "legacy") return;
    const asked: string[] = [];
    const connection = await bench.connect(place.config, {
      handlers: { request: () => assert.fail("the host was asked") },
    });
    const result = await forwardCall(connection, { name: "state", arguments: {} }, {
      asker: { ...ASKER, logLevel: null },
      ask: (method, params) => {
        asked.push(`${method} ${params["message"]}`);
        return Promise.resolve({ action: "accept", content: { name: "Eve" } });
      },
    });
    assert.match(JSON.stringify(result), /Eve/);
    assert.deepEqual(asked, ["elicitation/create Who?"]);
  });
});

Deno.test("the answers and the state of an earlier round are not sent with those of the next", async () => {
  await everywhere(async (place, bench) => {
    if (place.era === "legacy") return;
    const { connection, sent } = await traced(place, bench, { elicitation: { form: {} } });
    const old = { inputResponses: { old: { action: "accept" } }, requestState: "old" };
    const ask = (): Promise<JsonObject> => Promise.resolve({ action: "decline" });
    await rejection(forwardCall(connection, { name: "endless", ...old }, { ask }));
    const [first, second] = sent("tools/call");
    assert.deepEqual(first?.["inputResponses"], old.inputResponses);
    assert.equal(first?.["requestState"], "old");
    assert.deepEqual(second?.["inputResponses"], { form: { action: "decline" } });
    assert.equal(second?.["requestState"], undefined);
  });
});

Deno.test("an error that sends the user to a page is thrown as it came, or is shown by who is named", async () => {
  await everywhere(async (place, bench) => {
    if (place.era === "modern") return;
    const page = {
      mode: "url",
      elicitationId: "visit-1",
      url: "https://example.com/visit",
      message: "Sign in",
    };
    const connection = await bench.connect(place.config, { secrets: ["https://example.com"] });
    const thrown = await rejection(
      forwardCall(connection, { name: "visit" }, { input: FORWARDED }),
    );
    assert.equal(thrown.code, "protocol-error");
    const { code, message, data } = thrown.details;
    assert.deepEqual([code, data], [-32042, { elicitations: [page] }]);
    assert.match(String(message), /URL elicitation/);
    const capabilities = { elicitation: { url: {} } };
    const other = await bench.connect(place.config, { capabilities });
    const shown: JsonObject[] = [];
    const result = await forwardCall(other, { name: "visit", arguments: { complete: true } }, {
      ask: (_method, params) => {
        shown.push(params);
        return Promise.resolve({ action: "accept" });
      },
    });
    assert.match(JSON.stringify(result), /been there/);
    assert.deepEqual(shown, [page]);
  });
});

Deno.test("progress is told with all that its server says of it", async () => {
  await everywhere(async (place, bench) => {
    const connection = await bench.connect(place.config);
    const told: [Progress, JsonObject][] = [];
    const report = { progress: 1, total: 3, message: "on", _meta: { "x/y": 1 }, unknown: [2] };
    await forwardCall(connection, { name: "report", arguments: report }, {
      onProgress: (progress, raw) => told.push([progress, raw]),
    });
    assert.deepEqual(told, [[{ progress: 1, total: 3, message: "on" }, report]]);
  });
});

Deno.test("a forwarded result can be given on as its server wrote it", async () => {
  await withBench(async (bench) => {
    const connection = await bench.connect(bench.program("raw_stdio.ts", "exact"));
    const result = await forwardCall(connection, { name: "t", arguments: { do: "exact" } });
    assert.equal(
      resultText(result),
      '{"content":[],"structuredContent":{"id":12345678901234567890,"x": 1.0}}',
    );
    const direct = await callTool(connection, toolNamed("t"), { do: "exact" });
    assert.equal(resultText(direct.raw), null, "only who gives it on keeps it");
  });
});

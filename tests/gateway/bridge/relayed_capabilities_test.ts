import assert from "node:assert/strict";
import { hostRefusal } from "../../../src/gateway/bridge/host_refusal.ts";
import {
  bridgedCapabilities,
  relayedCapabilities,
} from "../../../src/gateway/bridge/relayed_capabilities.ts";
import type { JsonObject } from "../../../src/model/json.ts";

Deno.test("servers are told of what a gateway can relay, in the host's words", () => {
  const kept: JsonObject = {
    roots: { listChanged: true, odd: 1 },
    sampling: { tools: {}, context: {} },
    elicitation: { form: {}, url: {} },
  };
  const ui = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html"] } };
  assert.deepEqual(relayedCapabilities(kept), kept);
  assert.deepEqual(relayedCapabilities({}), {});
  assert.deepEqual(
    relayedCapabilities({
      ...kept,
      tasks: { list: {} },
      experimental: { own: {} },
      extensions: { ...ui, "io.modelcontextprotocol/tasks": {}, "com.example/own": {} },
    }),
    { ...kept, extensions: ui },
  );
  assert.deepEqual(relayedCapabilities({ sampling: null, roots: true, extensions: [] }), {});
});

Deno.test("the gateway itself tells of changed roots where a host of the modern era cannot", () => {
  assert.deepEqual(bridgedCapabilities({ roots: {} }), { roots: { listChanged: true } });
  assert.deepEqual(bridgedCapabilities({ sampling: {} }), { sampling: {} });
});

Deno.test("a host is asked only for what it has declared", () => {
  const codeOf = (capabilities: JsonObject, method: string, params: JsonObject = {}) =>
    hostRefusal(capabilities, method, params)?.code ?? null;
  const page = { mode: "url" };
  const cases: readonly [JsonObject, string, JsonObject, number | null][] = [
    [{}, "elicitation/create", {}, -32601],
    [{ elicitation: {} }, "elicitation/create", {}, null],
    [{ elicitation: {} }, "elicitation/create", page, -32602],
    [{ elicitation: { url: {} } }, "elicitation/create", page, null],
    [{ elicitation: { url: {} } }, "elicitation/create", { mode: "form" }, -32602],
    [{ elicitation: { form: {}, url: {} } }, "elicitation/create", {}, null],
    [{}, "sampling/createMessage", {}, -32601],
    [{ sampling: {} }, "sampling/createMessage", {}, null],
    [{ sampling: {} }, "sampling/createMessage", { tools: [] }, -32602],
    [{ sampling: { tools: {} } }, "sampling/createMessage", { tools: [] }, null],
    [{}, "roots/list", {}, -32601],
    [{ roots: {} }, "roots/list", {}, null],
    [{ roots: {} }, "x/other", {}, -32601],
  ];
  for (const [capabilities, method, params, code] of cases) {
    assert.equal(
      codeOf(capabilities, method, params),
      code,
      JSON.stringify([capabilities, params]),
    );
  }
});

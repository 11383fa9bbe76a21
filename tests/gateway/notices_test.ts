import assert from "node:assert/strict";
import { ListenStreams } from "../../src/gateway/listen_streams.ts";
import { requestMeta } from "../../src/gateway/request_meta.ts";
import { StatusNotices } from "../../src/gateway/status_notices.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { view } from "./made.ts";

const ID = "io.modelcontextprotocol/subscriptionId";

Deno.test("streams of changes are confirmed, told, cancelled and ended each by its own id", () => {
  const sent: JsonObject[] = [];
  const streams = new ListenStreams((message) => sent.push(message));
  assert.ok("error" in (streams.open(1, {}) ?? {}));
  assert.equal(streams.hearsTools, false);
  assert.equal(streams.open(2, { notifications: { promptsListChanged: true } }), null);
  assert.equal(streams.open("b", { notifications: { toolsListChanged: true } }), null);
  assert.equal(streams.open("c", { notifications: { toolsListChanged: true } }), null);
  const acknowledged = sent.splice(0).map(({ params }) => (params as JsonObject)["notifications"]);
  assert.deepEqual(acknowledged, [{}, { toolsListChanged: true }, { toolsListChanged: true }]);
  assert.equal(streams.cancel("c"), true);
  assert.equal(streams.cancel("c"), false);
  streams.toolsChanged();
  assert.deepEqual(sent.splice(0), [{
    jsonrpc: "2.0",
    method: "notifications/tools/list_changed",
    params: { _meta: { [ID]: "b" } },
  }]);
  streams.end();
  assert.deepEqual(sent.map(({ id }) => id), [2, "b"]);
  assert.equal(streams.hearsTools, false);
});

Deno.test("a host is told of each server once it is ready, and of the same state once", () => {
  const sent: JsonObject[] = [];
  const notices = new StatusNotices((message) => sent.push(message));
  const states = (): unknown[] =>
    sent.splice(0).map(({ params }) => {
      const { server, state } = (params as JsonObject)["data"] as JsonObject;
      return [server, state];
    });
  notices.changed(view("a", { state: "connecting" }));
  notices.changed(view("a", { state: "connected", tools: 1 }));
  notices.changed(view("b", { state: "connecting" }));
  assert.deepEqual(states(), []);
  notices.ready();
  notices.ready();
  assert.deepEqual(states(), [["a", "connected"], ["b", "connecting"]]);
  notices.changed(view("b", { state: "connecting", attempt: 2 }));
  notices.changed(view("b", { state: "connected", tools: 2 }));
  assert.deepEqual(states(), [["b", "connected"]]);
});

Deno.test("what a request says of itself goes on to the server but for what is the host's own", () => {
  const meta = requestMeta({
    _meta: {
      progressToken: 0,
      traceparent: "00-a-b-01",
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
      "example.com/own": [1],
    },
  });
  assert.deepEqual(meta.forwarded, { traceparent: "00-a-b-01", "example.com/own": [1] });
  assert.equal(meta.progressToken, 0);
  assert.equal(meta.version, "2026-07-28");
  assert.deepEqual(requestMeta({ _meta: { progressToken: {} } }).progressToken, null);
  assert.deepEqual(requestMeta({ _meta: "text" }).forwarded, {});
});

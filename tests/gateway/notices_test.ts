import assert from "node:assert/strict";
import { ListenStreams } from "../../src/gateway/listen_streams.ts";
import type { Subscribe, Subscribed } from "../../src/gateway/offer/host_subscriptions.ts";
import type { OnUpdate } from "../../src/gateway/offer/subscriptions.ts";
import { type Answer, refused } from "../../src/gateway/rpc.ts";
import { requestMeta } from "../../src/gateway/request_meta.ts";
import { StatusNotices } from "../../src/gateway/status_notices.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { view } from "./made.ts";

const ID = "io.modelcontextprotocol/subscriptionId";

Deno.test("streams of changes are confirmed, told, cancelled and ended each by its own id", async () => {
  const sent: JsonObject[] = [];
  const streams = new ListenStreams((message) => sent.push(message));
  const open = (id: number | string, notifications: JsonObject): Promise<Answer | null> =>
    streams.open(id, { notifications }, () => Promise.reject(new Error("not asked for")));
  const refusal = await streams.open(1, {}, () => Promise.reject(new Error("not asked for")));
  assert.ok("error" in (refusal ?? {}));
  assert.equal(streams.hears("tools"), false);
  assert.equal(await open(2, { promptsListChanged: true, elseListChanged: true }), null);
  assert.equal(await open("b", { toolsListChanged: true }), null);
  assert.equal(await open("c", { toolsListChanged: true, resourcesListChanged: false }), null);
  const acknowledged = sent.splice(0).map(({ params }) => (params as JsonObject)["notifications"]);
  assert.deepEqual(acknowledged, [
    { promptsListChanged: true },
    { toolsListChanged: true },
    { toolsListChanged: true },
  ]);
  assert.equal(streams.cancel("c"), true);
  assert.equal(streams.cancel("c"), false);
  for (const list of ["tools", "prompts", "resources"] as const) streams.listChanged(list);
  assert.deepEqual(sent.splice(0), [{
    jsonrpc: "2.0",
    method: "notifications/tools/list_changed",
    params: { _meta: { [ID]: "b" } },
  }, {
    jsonrpc: "2.0",
    method: "notifications/prompts/list_changed",
    params: { _meta: { [ID]: 2 } },
  }]);
  streams.end();
  assert.deepEqual(sent.map(({ id }) => id), [2, "b"]);
  assert.equal(streams.hears("tools"), false);
});

Deno.test("a stream is confirmed with the resources that are told of, and then told what came before", async () => {
  const sent: JsonObject[] = [];
  const streams = new ListenStreams((message) => sent.push(message));
  const updates: OnUpdate[] = [];
  const ended: string[] = [];
  const subscribe: Subscribe = (uri, onUpdate) => {
    if (uri === "no:1") return Promise.resolve({ refusal: refused(-32602, "no") });
    updates.push(onUpdate);
    onUpdate({ uri, _meta: { own: 1, [ID]: "of the server" } });
    return Promise.resolve({ end: () => void ended.push(uri) });
  };
  const notifications = { resourceSubscriptions: ["a:1", 2, "no:1", "a:1", "b:1"] };
  assert.equal(await streams.open(7, { notifications }, subscribe), null);
  assert.equal(updates.length, 2);
  assert.deepEqual(sent.splice(0).map(({ params }) => params), [
    { notifications: { resourceSubscriptions: ["a:1", "b:1"] }, _meta: { [ID]: 7 } },
    { uri: "a:1", _meta: { own: 1, [ID]: 7 } },
    { uri: "b:1", _meta: { own: 1, [ID]: 7 } },
  ]);
  assert.equal(streams.cancel(7), true);
  assert.deepEqual(ended, ["a:1", "b:1"]);
  updates[0]?.({ uri: "a:1" });
  assert.deepEqual(sent, []);
});

Deno.test("a stream that is cancelled while it is opened is not confirmed, and its resources are let go", async () => {
  const sent: JsonObject[] = [];
  const streams = new ListenStreams((message) => sent.push(message));
  const { promise, resolve } = Promise.withResolvers<Subscribed>();
  const ended: string[] = [];
  const opened = streams.open(1, {
    notifications: { resourceSubscriptions: ["a:1"], toolsListChanged: true },
  }, () => promise);
  assert.equal(streams.hears("tools"), false);
  assert.equal(streams.cancel(1), true);
  resolve({ end: () => void ended.push("a:1") });
  assert.equal(await opened, null);
  assert.deepEqual(ended, ["a:1"]);
  assert.deepEqual(sent, []);
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

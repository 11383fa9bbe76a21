import assert from "node:assert/strict";
import { Conversation } from "../../src/gateway/conversation.ts";
import { Gateway, type GatewayOptions } from "../../src/gateway/gateway.ts";
import { HotplugError } from "../../src/model/errors.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { silentLogger } from "../../src/model/log.ts";
import { machineClock } from "../../src/runtime/clock.ts";
import { until } from "../harness/until.ts";
import { noLoops, sessionWith, toolOf } from "./made.ts";

/** A gateway whose session cannot be opened, unless `more` says otherwise. */
function gatewayWith(more: Partial<GatewayOptions> = {}): Gateway {
  return new Gateway({
    open: () =>
      Promise.reject(
        new HotplugError("discovery-failed", "Cannot discover servers: no disk", {
          hint: "Mount it",
        }),
      ),
    preview: () => Promise.resolve({ servers: [], failure: null }),
    profile: null,
    patterns: { only: [], except: [] },
    loops: noLoops(),
    clock: machineClock,
    log: silentLogger,
    ...more,
  });
}

/** A conversation, and all that was sent to the host. */
function converse(gateway: Gateway): { conversation: Conversation; sent: JsonObject[] } {
  const sent: JsonObject[] = [];
  const send = (message: JsonObject): boolean => sent.push(message) > 0;
  const conversation = new Conversation({
    gateway,
    link: { send },
    tellsStatus: false,
    log: silentLogger,
  });
  return { conversation, sent };
}

function request(id: number, method: string, params: JsonObject = {}): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

Deno.test("a gateway that cannot discover anything lives, offers nothing and says why", async () => {
  const gateway = gatewayWith();
  const { conversation, sent } = converse(gateway);
  conversation.take(request(1, "initialize", { protocolVersion: "2025-11-25" }));
  conversation.take(request(2, "tools/list"));
  conversation.take(request(3, "tools/call", { name: "any" }));
  await until(() => sent.length === 3);
  const by = (id: number): JsonObject => sent.find((message) => message["id"] === id) ?? {};
  const { instructions } = by(1)["result"] as JsonObject;
  assert.match(String(instructions), /no tools: Cannot discover servers: no disk\. Mount it/);
  assert.deepEqual((by(2)["result"] as JsonObject)["tools"], []);
  assert.equal((by(3)["error"] as JsonObject)["code"], -32602);
  conversation.close();
  await gateway.close();
});

Deno.test("the end does not wait for a session that never opens, and its requests stay unanswered", async () => {
  const gateway = gatewayWith({
    open: (_opening, _events, signal) =>
      new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(new HotplugError("aborted", "Aborted")))
      ),
  });
  const { conversation, sent } = converse(gateway);
  conversation.take(request(1, "tools/list"));
  conversation.take(request(2, "ping"));
  await until(() => sent.length === 1);
  conversation.close();
  conversation.close();
  await Promise.all([gateway.close(), gateway.close()]);
  assert.deepEqual(sent.map(({ id }) => id), [2]);
});

Deno.test("one session serves all who ask, with what the first said of itself", async () => {
  const openings: JsonObject[] = [];
  const gateway = gatewayWith({
    open: ({ clientInfo }) => {
      openings.push(clientInfo ?? {});
      return Promise.reject(new Error("enough"));
    },
  });
  const { conversation, sent } = converse(gateway);
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "modern", version: "1" },
  };
  conversation.take(request(1, "server/discover", { _meta }));
  await until(() => sent.length === 1);
  assert.deepEqual(openings, []);
  conversation.take(request(2, "tools/list", { _meta }));
  conversation.take(request(3, "tools/list", { _meta }));
  await until(() => sent.length === 3);
  assert.deepEqual(openings, [{ name: "modern", version: "1" }]);
  const { resultType, ttlMs, cacheScope } = sent[1]?.["result"] as JsonObject;
  assert.deepEqual({ resultType, ttlMs, cacheScope }, {
    resultType: "complete",
    ttlMs: 0,
    cacheScope: "private",
  });
  conversation.close();
  await gateway.close();
});

Deno.test("requests that share an id are each cancelled and each ended", async () => {
  const signals: AbortSignal[] = [];
  const gateway = gatewayWith({
    open: () =>
      Promise.resolve({
        ...sessionWith([]),
        toolSet: { generation: 1, tools: [toolOf("s", { name: "go" })] },
        request: (_server, _method, _params, { signal }) => {
          if (signal !== undefined) signals.push(signal);
          return new Promise((_, reject) =>
            signal?.addEventListener("abort", () => reject(new HotplugError("aborted", "Aborted")))
          );
        },
      }),
  });
  const { conversation, sent } = converse(gateway);
  const twice = (id: number): void => {
    for (let count = 0; count < 2; count++) {
      conversation.take(request(id, "tools/call", { name: "s_go" }));
    }
  };
  twice(1);
  await until(() => signals.length === 2);
  conversation.take(
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
  );
  assert.deepEqual(signals.map(({ aborted }) => aborted), [true, true]);
  twice(2);
  await until(() => signals.length === 4);
  conversation.close();
  assert.deepEqual(signals.map(({ aborted }) => aborted), [true, true, true, true]);
  await gateway.close();
  assert.deepEqual(sent, []);
});

Deno.test("a host that is behind is spared log lines, and nothing else", async () => {
  let events: Parameters<GatewayOptions["open"]>[1] | null = null;
  const gateway = gatewayWith({
    open: (_opening, given) => {
      events = given;
      return Promise.resolve(sessionWith([]));
    },
  });
  const sent: JsonObject[] = [];
  let isBehind = false;
  const conversation = new Conversation({
    gateway,
    link: { send: (message) => sent.push(message) > 0, isBehind: () => isBehind },
    tellsStatus: false,
    log: silentLogger,
  });
  const write = (data: number): void => void events?.onLog("s", { level: "error", data });
  conversation.take(request(1, "initialize", { protocolVersion: "2025-11-25" }));
  await until(() => sent.length === 1);
  conversation.take('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  write(1);
  isBehind = true;
  write(2);
  conversation.take(request(2, "ping"));
  await until(() => sent.some(({ id }) => id === 2));
  isBehind = false;
  write(3);
  const lines = sent.filter(({ method }) => method === "notifications/message");
  assert.deepEqual(lines.map(({ params }) => (params as JsonObject)["data"]), [1, 3]);
  conversation.close();
  await gateway.close();
});

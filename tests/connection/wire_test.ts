import assert from "node:assert/strict";
import type { JSONRPCMessage, Transport, TransportSendOptions } from "@modelcontextprotocol/client";
import { Wire } from "../../src/connection/wire.ts";
import type { WireOptions } from "../../src/connection/wire_options.ts";
import { HotplugError } from "../../src/model/errors.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { silentLogger } from "../../src/model/log.ts";
import { FakeTimers } from "./fake_timers.ts";
import { rejection } from "./harness.ts";

/** A transport that only remembers. */
class Line implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport["onmessage"]>;
  readonly sent: { readonly message: JsonObject; readonly options?: TransportSendOptions }[] = [];
  closed = 0;
  failing: Error | null = null;
  hanging = false;
  readonly hasPerRequestStream: boolean;

  constructor(hasPerRequestStream: boolean = false) {
    this.hasPerRequestStream = hasPerRequestStream;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    this.sent.push({
      message: message as JsonObject,
      ...(options === undefined ? {} : { options }),
    });
    if (this.hanging) return new Promise(() => {});
    return this.failing === null ? Promise.resolve() : Promise.reject(this.failing);
  }

  close(): Promise<void> {
    this.closed++;
    return Promise.resolve();
  }

  receive(message: unknown): void {
    this.onmessage?.(message as JSONRPCMessage);
  }
}

interface Setting {
  readonly line: Line;
  readonly wire: Wire;
  readonly timers: FakeTimers;
  /** What the SDK saw. */
  readonly seen: JsonObject[];
}

async function setUp(given: Partial<WireOptions> = {}, line = new Line()): Promise<Setting> {
  const timers = new FakeTimers();
  const wire = new Wire({
    name: "s",
    inner: line,
    kind: "stdio",
    callTimeout: 1_000,
    log: silentLogger,
    sendError: (thrown) => new HotplugError("connection-closed", String(thrown)),
    closeError: () => null,
    timers,
    ...given,
  });
  const seen: JsonObject[] = [];
  wire.onmessage = (message) => seen.push(message as JsonObject);
  await wire.start();
  return { line, wire, timers, seen };
}

const sentMethods = ({ line }: Setting): unknown[] =>
  line.sent.map(({ message }) => message["method"]);

Deno.test("our answers are taken out before the SDK, and its own pass", async () => {
  const setting = await setUp();
  const { line, wire, seen } = setting;
  await wire.send({ jsonrpc: "2.0", id: 1, method: "ping" });
  const answer = wire.request("x", { a: 1 });
  line.receive({ jsonrpc: "2.0", id: "hp-1", result: { odd: [{}] } });
  line.receive({ jsonrpc: "2.0", id: "hp-1", result: { again: true } });
  line.receive({ jsonrpc: "2.0", id: "hp-9", result: {} });
  line.receive({ jsonrpc: "2.0", id: 1, result: {} });
  line.receive({ jsonrpc: "2.0", id: 1, result: {} });
  assert.deepEqual(await answer, { odd: [{}] });
  assert.deepEqual(seen, [{ jsonrpc: "2.0", id: 1, result: {} }]);
  assert.deepEqual(line.sent[1]?.message["params"], { a: 1, _meta: { progressToken: "hp-1" } });
});

Deno.test("an error that names no request reaches the only one that waits, and else none [C29]", async () => {
  const { line, wire, timers } = await setUp();
  const one = rejection(wire.request("x", {}));
  line.receive({ jsonrpc: "2.0", id: null, error: { code: -1, message: "for one" } });
  assert.match((await one).message, /for one/);
  const two = [rejection(wire.request("x", {})), rejection(wire.request("y", {}))];
  line.receive({ jsonrpc: "2.0", id: null, error: { code: -1, message: "for whom" } });
  timers.advance(1_000);
  for (const error of await Promise.all(two)) assert.equal(error.code, "request-timeout");
});

Deno.test("over one channel a cancellation is a notification in either era", async () => {
  for (const modern of [false, true]) {
    const setting = await setUp();
    const { wire, timers, line } = setting;
    if (modern) {
      wire.useEnvelope({
        version: "2026-07-28",
        clientInfo: { name: "c", version: "1" },
        capabilities: {},
      });
    }
    const ending = rejection(wire.request("x", {}));
    timers.advance(1_000);
    assert.equal((await ending).code, "request-timeout");
    await Promise.resolve();
    assert.deepEqual(sentMethods(setting), ["x", "notifications/cancelled"]);
    assert.equal((line.sent[1]?.message["params"] as JsonObject)["requestId"], "hp-1");
  }
});

Deno.test("over a stream for each request the modern era cancels by closing it alone", async () => {
  const setting = await setUp({ kind: "streamable_http" }, new Line(true));
  const { wire, timers, line } = setting;
  wire.useEnvelope({
    version: "2026-07-28",
    clientInfo: { name: "c", version: "1" },
    capabilities: { roots: {} },
  });
  const ending = rejection(wire.request("x", {}));
  timers.advance(1_000);
  await ending;
  assert.deepEqual(sentMethods(setting), ["x"]);
  assert.equal(line.sent[0]?.options?.requestSignal?.aborted, true);
  assert.deepEqual((line.sent[0]?.message["params"] as JsonObject)["_meta"], {
    progressToken: "hp-1",
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "c", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": { roots: {} },
  });
});

Deno.test("close detaches and leaves the transport open; everything that waits ends", async () => {
  const { line, wire } = await setUp();
  let closes = 0;
  wire.onclose = () => {
    closes++;
    throw new Error("from a callback");
  };
  const waiting = rejection(wire.request("x", {}));
  await wire.close();
  await wire.close();
  assert.equal((await waiting).code, "connection-closed");
  assert.equal(line.closed, 0);
  assert.equal(closes, 1);
  assert.equal(wire.lossReason, null);
  assert.equal((await rejection(wire.request("x", {}))).code, "connection-closed");
});

Deno.test("a send that fails ends its request and no other", async () => {
  const { line, wire } = await setUp();
  const first = wire.request("x", {});
  line.failing = new Error("pipe");
  assert.match((await rejection(wire.request("y", {}))).message, /pipe/);
  line.receive({ jsonrpc: "2.0", id: "hp-1", result: {} });
  assert.deepEqual(await first, {});
});

Deno.test("a throwing notification callback disturbs nothing", async () => {
  const { line, wire, seen } = await setUp({
    onNotification: () => {
      throw new Error("from a callback");
    },
  });
  line.receive({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
  assert.equal(seen.length, 1);
  const answer = wire.request("x", {});
  line.receive({ jsonrpc: "2.0", id: "hp-1", result: {} });
  await answer;
});

Deno.test("late progress and late cancellations of our requests are told to nobody", async () => {
  const told: string[] = [];
  const { line, wire, seen } = await setUp({ onNotification: ({ method }) => told.push(method) });
  const answer = wire.request("x", {});
  line.receive({ jsonrpc: "2.0", id: "hp-1", result: {} });
  await answer;
  line.receive({
    jsonrpc: "2.0",
    method: "notifications/progress",
    params: { progressToken: "hp-1", progress: 1 },
  });
  line.receive({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: "hp-1" },
  });
  assert.deepEqual([told, seen], [[], []]);
});

Deno.test("what arrives after the end is told to nobody", async () => {
  const told: string[] = [];
  const { line, wire, seen } = await setUp({ onNotification: ({ method }) => told.push(method) });
  await wire.close();
  line.receive({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
  line.receive({ jsonrpc: "2.0", id: 7, method: "ping" });
  assert.deepEqual([told, seen], [[], []]);
});

Deno.test("a client that listens does not keep an error without an id from the one call [C29]", async () => {
  const { line, wire } = await setUp();
  await wire.send({ jsonrpc: "2.0", id: "listen:1", method: "subscriptions/listen" });
  const call = rejection(wire.request("x", {}));
  line.receive({ jsonrpc: "2.0", id: null, error: { code: -1, message: "for the call" } });
  assert.match((await call).message, /for the call/);
});

Deno.test("only what was accepted and still waits fails with the common stream", async () => {
  const { line, wire } = await setUp({ kind: "streamable_http" }, new Line(true));
  const answered = wire.request("a", {});
  const waiting = rejection(wire.request("b", {}));
  const other = wire.request("c", {});
  for (const id of ["hp-1", "hp-2"]) wire.accepted(id);
  line.receive({ jsonrpc: "2.0", id: "hp-1", result: {} });
  await answered;
  assert.equal(wire.failAccepted(new HotplugError("connection-closed", "no stream")), 1);
  assert.equal((await waiting).message, "no stream");
  line.receive({ jsonrpc: "2.0", id: "hp-3", result: {} });
  await other;
});

Deno.test("a cancellation that hangs does not keep the stream of its call open", async () => {
  const { line, wire, timers } = await setUp({ kind: "streamable_http" }, new Line(true));
  line.hanging = true;
  const controller = new AbortController();
  const call = rejection(wire.request("x", {}, { signal: controller.signal }));
  controller.abort();
  assert.equal((await call).code, "aborted");
  timers.advance(1_000);
  assert.deepEqual(line.sent.map(({ options }) => options?.requestSignal?.aborted), [true, true]);
  assert.equal(timers.size, 0);
});

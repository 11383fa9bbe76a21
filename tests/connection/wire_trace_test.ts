import assert from "node:assert/strict";
import { LONGEST_TRACED_FRAME, traceEvent, wireTracer } from "../../src/connection/wire_trace.ts";
import { traceLine } from "../../src/cli/trace_output.ts";
import { textMasker } from "../../src/definitions/secrets.ts";

const SECRET = "s3cr3t-value";
const WIRE = { server: "a", transport: "stdio", mask: textMasker([SECRET]) } as const;

Deno.test("each kind of message is traced as what it is", () => {
  const messages: readonly unknown[] = [
    { jsonrpc: "2.0", id: "hp-1", method: "tools/list" },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 3, result: {} },
    { jsonrpc: "2.0", id: 4, error: { code: 1, message: "no" } },
    "noise",
  ];
  const events = messages.map((message) => traceEvent("sent", message, WIRE, 0));
  assert.deepEqual(events.map(({ kind, method, id }) => [kind, method, id]), [
    ["request", "tools/list", "hp-1"],
    ["notification", "notifications/initialized", null],
    ["result", null, 3],
    ["error", null, 4],
    ["unknown", null, null],
  ]);
  assert.deepEqual(events.map(({ frame }) => JSON.parse(frame)), messages);
});

Deno.test("secrets are replaced, also at the place where a long message is cut", () => {
  for (const before of [LONGEST_TRACED_FRAME - 80, LONGEST_TRACED_FRAME - 70, 10]) {
    const text = `${"x".repeat(before)}${SECRET}${"y".repeat(100_000)}`;
    const event = traceEvent("received", { method: "a", params: { text } }, WIRE, 0);
    assert.ok(!event.frame.includes(SECRET.slice(0, 6)), "not even a part of it");
    assert.equal(event.frame.length, LONGEST_TRACED_FRAME + 1);
    assert.ok(event.size > before + 100_000);
  }
});

Deno.test("a server's own words in method and id are masked and cut as well", () => {
  const id = `${SECRET}-1`;
  const method = `x/${SECRET}/${"y".repeat(1_000)}`;
  const event = traceEvent("received", { jsonrpc: "2.0", id, method }, WIRE, 0);
  assert.equal(event.id, "***-1");
  assert.equal(event.method?.length, 200);
  assert.ok(!JSON.stringify(event).includes(SECRET));
});

Deno.test("a secret is replaced in the JSON that a result holds as text", () => {
  const secret = 'pass"word\\é';
  const text = JSON.stringify({ key: secret });
  const message = { jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text }] } };
  const wire = { ...WIRE, mask: textMasker([secret]) };
  assert.doesNotMatch(traceEvent("received", message, wire, 0).frame, /pass/);
});

Deno.test("a trace that throws stops nothing", () => {
  wireTracer(WIRE, () => {
    throw new Error("full");
  })("sent", {});
});

Deno.test("a traced line is JSON with the message as it was, or with what is there of it", () => {
  const event = traceEvent("sent", { method: "a" }, WIRE, 0);
  const frame = '{"id":12345678901234567890,"text":"\u202e"}';
  const line = traceLine({ ...event, frame });
  assert.ok(line.endsWith(',"frame":{"id":12345678901234567890,"text":"\\u202e"}}\n'), line);
  assert.deepEqual(JSON.parse(traceLine({ ...event, frame: '{"a":***}' })).cut, '{"a":***}');
});

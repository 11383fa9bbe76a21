import assert from "node:assert/strict";
import type { TelemetryContext, TelemetryTracer } from "../../src/model/telemetry.ts";
import { Telemetry } from "../../src/runtime/telemetry.ts";
import { contextOf, traceParent } from "../../src/runtime/trace_parent.ts";

const [TRACE, SPAN, OWN] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", "c".repeat(16)];
const META = { traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: "a=b" };

Deno.test("a traceparent is read by the rules of W3C Trace Context", () => {
  const parent = { traceId: TRACE, spanId: SPAN, traceFlags: 1 };
  assert.deepEqual(traceParent(META), parent);
  assert.deepEqual(traceParent({ traceparent: `cc-${TRACE}-${SPAN}-01-what-comes` }), parent);
  for (
    const odd of [
      undefined,
      {},
      { traceparent: 1 },
      { traceparent: "" },
      { traceparent: `ff-${TRACE}-${SPAN}-01` },
      { traceparent: `00-${"0".repeat(32)}-${SPAN}-01` },
      { traceparent: `00-${TRACE}-${"0".repeat(16)}-01` },
      { traceparent: `00-${TRACE.toUpperCase()}-${SPAN}-01` },
      { traceparent: `00-${TRACE}-${SPAN}-01x` },
    ]
  ) assert.equal(traceParent(odd), null, JSON.stringify(odd));
});

Deno.test("a context has the parent as its active span, and all else of the one below", () => {
  const [other, more] = [Symbol("other"), Symbol("more")];
  const base = contextOf({ traceId: "1", spanId: "2", traceFlags: 0 }, null).setValue(other, 5);
  const parent = { traceId: TRACE, spanId: SPAN, traceFlags: 1 };
  const context = contextOf(parent, base).setValue(more, 6);
  const key = Symbol.for("OpenTelemetry Context Key SPAN");
  const span = context.getValue(key) as { spanContext(): unknown };
  assert.deepEqual(span.spanContext(), { ...parent, isRemote: true });
  assert.deepEqual([context.getValue(other), context.getValue(more)], [5, 6]);
  assert.equal(context.deleteValue(other).getValue(other), undefined);
  assert.equal(context.getValue(other), 5);
});

Deno.test("a host's trace goes on in our span; a tracer that begins another does not tear it", async () => {
  const contexts: (TelemetryContext | undefined)[] = [];
  const tracer = (traceId: string): TelemetryTracer => ({
    startSpan: (_name, _options, context) => {
      contexts.push(context);
      return {
        spanContext: () => ({ traceId, spanId: OWN, traceFlags: 1 }),
        isRecording: () => true,
        setAttribute: () => {},
        updateName: () => {},
        setStatus: () => {},
        end: () => {},
      };
    },
  });
  const sent = async (given: TelemetryTracer | null, meta?: typeof META): Promise<unknown> => {
    const operation = { method: "tools/call", server: "s", meta };
    return await new Telemetry(given).around(operation, (span) => Promise.resolve(span.meta));
  };
  assert.deepEqual(await sent(tracer(TRACE), META), { traceparent: `00-${TRACE}-${OWN}-01` });
  assert.deepEqual(await sent(tracer("d".repeat(32)), META), {});
  assert.deepEqual(await sent(tracer(TRACE)), { traceparent: `00-${TRACE}-${OWN}-01` });
  assert.deepEqual(await sent(null, META), {});
  assert.deepEqual(contexts.map((context) => context !== undefined), [true, true, false]);
});

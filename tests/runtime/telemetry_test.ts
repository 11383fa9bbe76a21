import assert from "node:assert/strict";
import type { TelemetrySpan, TelemetryTracer } from "../../src/model/telemetry.ts";
import type { WireTraceEvent } from "../../src/model/wire_trace.ts";
import { operationAttributes, Telemetry, traceMeta } from "../../src/runtime/telemetry.ts";
import { fromRepository } from "../harness/repository.ts";
import { sdkServer, trap } from "../harness/servers.ts";
import { makeTempHome } from "../harness/temp_home.ts";

interface SentSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status: { readonly code?: number; readonly message?: string };
  readonly attributes: readonly { readonly key: string; readonly value: unknown }[];
}

/** What Deno's own OpenTelemetry sends of a host that uses the library. */
async function tracedHost(
  servers: Readonly<Record<string, unknown>>,
  ...traceparent: readonly string[]
): Promise<{ readonly spans: readonly SentSpan[]; readonly sent: readonly WireTraceEvent[] }> {
  const spans: SentSpan[] = [];
  const collector = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: (): void => {} },
    async (request) => {
      const body = await request.json();
      for (const { scopeSpans } of body.resourceSpans ?? []) {
        for (const { scope, spans: found } of scopeSpans) {
          if (scope.name === "hotplug") spans.push(...found);
        }
      }
      return Response.json({});
    },
  );
  const home = await makeTempHome();
  try {
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--quiet",
        "--allow-all",
        "--config",
        fromRepository("deno.json"),
        fromRepository("tests/runtime/programs/traced_calls.ts"),
        JSON.stringify(servers),
        ...traceparent,
      ],
      cwd: home.project,
      clearEnv: true,
      env: {
        ...home.env,
        OTEL_DENO: "true",
        OTEL_DENO_CONSOLE: "ignore",
        OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.addr.port}`,
      },
    }).output();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    return { spans, sent: JSON.parse(new TextDecoder().decode(stdout)) };
  } finally {
    await collector.shutdown();
    await home.remove();
  }
}

function attributes(span: SentSpan | undefined): Readonly<Record<string, unknown>> {
  return Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => {
    const [plain] = Object.values(value as object);
    return [key, plain?.values?.map((item: object) => Object.values(item)[0]) ?? plain];
  }));
}

Deno.test("OpenTelemetry gets a span of each request, names of arguments and no values", async () => {
  const { spans, sent } = await tracedHost({ it: trap("good") });
  const byName = new Map(spans.map((span) => [span.name, span]));
  assert.deepEqual(
    [...byName.keys()].sort(),
    ["initialize", "prompts/get no-such-prompt", "tools/call echo", "tools/list"],
  );
  const common = { "hotplug.server.name": "it", "network.transport": "pipe" };
  const version = attributes(byName.get("initialize"))["mcp.protocol.version"];
  assert.match(String(version), /^\d{4}-\d\d-\d\d$/);
  assert.deepEqual(attributes(byName.get("tools/call echo")), {
    ...common,
    "mcp.method.name": "tools/call",
    "mcp.protocol.version": version,
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "echo",
    "hotplug.argument.names": ["text"],
  });
  assert.ok(!JSON.stringify(spans).includes("a value"));
  assert.ok(spans.every(({ kind }) => kind === 3), "each is a client's, as the wire numbers it");
  const failed = byName.get("prompts/get no-such-prompt");
  assert.deepEqual(failed?.status, { code: 2, message: "protocol-error" });
  assert.equal(attributes(failed)["error.type"], "-32601");
  assert.deepEqual(attributes(failed)["hotplug.argument.names"], ["topic"]);
  assert.deepEqual(byName.get("tools/list")?.status.code ?? 0, 0);

  for (const name of ["tools/list", "tools/call echo"]) {
    const span = byName.get(name);
    const frame = sent.find(({ method }) => method === name.split(" ")[0])?.frame ?? "{}";
    const { traceparent } = JSON.parse(frame).params["_meta"];
    assert.equal(traceparent, `00-${span?.traceId}-${span?.spanId}-01`, name);
  }
});

Deno.test("a forwarded request's span stands below that of whoever sent it", async () => {
  const [trace, parent] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
  const { spans, sent } = await tracedHost({ it: trap("good") }, `00-${trace}-${parent}-01`);
  const span = spans.find(({ name }) => name === "tools/call add");
  assert.deepEqual([span?.traceId, span?.parentSpanId], [trace, parent]);
  const frame = sent.findLast(({ method }) => method === "tools/call")?.frame ?? "{}";
  const { traceparent } = JSON.parse(frame).params["_meta"];
  assert.equal(traceparent, `00-${trace}-${span?.spanId}-01`);
  assert.notEqual(spans.find(({ name }) => name === "tools/call echo")?.traceId, trace);
});

Deno.test("a modern handshake is a span of server/discover", async () => {
  const { spans } = await tracedHost({ it: sdkServer("modern") });
  const span = spans.find(({ name }) => name === "server/discover");
  assert.equal(attributes(span)["mcp.protocol.version"], "2026-07-28");
  assert.equal(attributes(span)["mcp.method.name"], "server/discover");
});

function span(traceId: string, spanId: string, more: Partial<TelemetrySpan> = {}): TelemetrySpan {
  return {
    spanContext: () => ({ traceId, spanId, traceFlags: 1 }),
    isRecording: () => true,
    setAttribute: () => {},
    updateName: () => {},
    setStatus: () => {},
    end: () => {},
    ...more,
  };
}

Deno.test("only a recorded span with valid ids goes to the server", () => {
  const [trace, id] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
  assert.deepEqual(traceMeta(span(trace, id)), { traceparent: `00-${trace}-${id}-01` });
  const traceState = { serialize: (): string => "a=b" };
  const withState = span(trace, id, {
    spanContext: () => ({ traceId: trace, spanId: id, traceFlags: 0, traceState }),
  });
  assert.deepEqual(traceMeta(withState), {
    traceparent: `00-${trace}-${id}-00`,
    tracestate: "a=b",
  });
  for (
    const odd of [
      span("0".repeat(32), id),
      span(trace, "0".repeat(16)),
      span("", ""),
      span(trace, id, { isRecording: () => false }),
      span(trace, id, {
        spanContext: () => {
          throw new Error("broken");
        },
      }),
    ]
  ) assert.deepEqual(traceMeta(odd), {});
});

Deno.test("without a tracer, and with one that throws, the work is done all the same", async () => {
  const boom = (): never => {
    throw new Error("broken tracer");
  };
  const broken: TelemetryTracer = { startSpan: boom };
  const later: TelemetryTracer = {
    startSpan: () => span("a".repeat(32), "b".repeat(16), { setStatus: boom, end: boom }),
  };
  for (const tracer of [null, undefined, broken, later]) {
    const telemetry = new Telemetry(tracer);
    const operation = { method: "tools/call", server: "a", target: "t" };
    assert.equal(await telemetry.around(operation, () => Promise.resolve(7)), 7);
    await assert.rejects(
      telemetry.around(operation, () => Promise.reject(new Error("the work failed"))),
      /the work failed/,
    );
  }
});

Deno.test("a prompt and a resource are named as the conventions say", () => {
  const prompt = { method: "prompts/get", server: "a", target: "p", args: { secret: "value" } };
  assert.deepEqual(operationAttributes(prompt), {
    "mcp.method.name": "prompts/get",
    "hotplug.server.name": "a",
    "gen_ai.prompt.name": "p",
    "hotplug.argument.names": ["secret"],
  });
  assert.deepEqual(operationAttributes({ method: "resources/read", server: "a" }), {
    "mcp.method.name": "resources/read",
    "hotplug.server.name": "a",
  });
});

import type { MCPServerConnection } from "../model/connection.ts";
import { toHotplugError } from "../model/errors.ts";
import type { JsonObject } from "../model/json.ts";
import type {
  SpanAttributes,
  TelemetryContext,
  TelemetrySpan,
  TelemetryTracer,
} from "../model/telemetry.ts";
import { VERSION } from "../model/version.ts";
import { contextOf, traceParent } from "./trace_parent.ts";

/** OpenTelemetry's number of a span that a client makes. */
const CLIENT_KIND = 2;

/** OpenTelemetry's status of what failed. */
const ERROR_STATUS = 2;

/** What one request is about. */
export interface Operation {
  /** Method of the protocol, such as `tools/call`. */
  readonly method: string;
  /** Name of the server as it is configured. */
  readonly server: string;
  /** Name of the tool or prompt: part of the span's name, so of few values. */
  readonly target?: string | undefined;
  /** Arguments: their names are noted, never their values. */
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  /** What it goes over, when it is there already. */
  readonly connection?: MCPServerConnection | undefined;
  /** `_meta` of the request that it is done for, in which the span above it may stand. */
  readonly meta?: JsonObject | undefined;
}

/** What the work of an operation gets. */
export interface OperationSpan {
  /**
   * Fields for the request's `_meta`, by which the server's spans join ours; empty without one, and
   * where another trace than ours is named there already.
   */
  readonly meta: JsonObject;
  /** Notes the connection, once it is there. */
  over(connection: MCPServerConnection): void;
}

/**
 * Makes a span around each operation, named and filled after OpenTelemetry's conventions for MCP.
 * Without a tracer it only does the work.
 */
export class Telemetry {
  readonly #tracer: () => TelemetryTracer | null;

  /**
   * Uses this tracer; `null` uses none, and `undefined` the one that the process has registered
   * with `@opentelemetry/api`, if any, at the time of each operation.
   */
  constructor(tracer: TelemetryTracer | null | undefined) {
    this.#tracer = tracer === undefined ? registeredTracer : (): TelemetryTracer | null => tracer;
  }

  /**
   * Does the work of an operation in a span. What the work throws comes through and marks the span
   * as failed; a failing tracer costs nothing but the span.
   * @param isToolError Whether a result says that the tool itself failed.
   */
  around<T>(
    operation: Operation,
    work: (span: OperationSpan) => Promise<T>,
    isToolError: (result: T) => boolean = () => false,
  ): Promise<T> {
    const span = this.#begin(operation);
    return span === null ? work(NO_SPAN) : this.#within(span, operation, work, isToolError);
  }

  async #within<T>(
    span: TelemetrySpan,
    operation: Operation,
    work: (span: OperationSpan) => Promise<T>,
    isToolError: (result: T) => boolean,
  ): Promise<T> {
    const note = (set: () => void): void => harmless(set);
    const over = (connection: MCPServerConnection): void =>
      note(() => {
        addAttributes(span, connectionAttributes(connection));
        // Only then it is known how the handshake was made.
        const isModern = operation.method === "initialize" && connection.protocol.era === "modern";
        if (!isModern) return;
        span.updateName("server/discover");
        span.setAttribute("mcp.method.name", "server/discover");
      });
    try {
      const result = await work({ meta: joinedMeta(span, operation.meta), over });
      if (isToolError(result)) note(() => fail(span, "tool_error", "The tool says that it failed"));
      return result;
    } catch (thrown) {
      note(() => failWith(span, thrown));
      throw thrown;
    } finally {
      note(() => span.end());
    }
  }

  #begin(operation: Operation): TelemetrySpan | null {
    try {
      const tracer = this.#tracer();
      if (tracer === null) return null;
      const { method, target, meta } = operation;
      const name = target === undefined ? method : `${method} ${target}`;
      const parent = traceParent(meta);
      const span = parent === null
        ? tracer.startSpan(name, { kind: CLIENT_KIND })
        : tracer.startSpan(name, { kind: CLIENT_KIND }, contextOf(parent, activeContext()));
      addAttributes(span, operationAttributes(operation));
      return span;
    } catch {
      return null;
    }
  }
}

/** The attributes of an operation that are known before it is done. */
export function operationAttributes(operation: Operation): SpanAttributes {
  const { method, server, target, args, connection } = operation;
  return {
    "mcp.method.name": method,
    "hotplug.server.name": server,
    ...(target === undefined
      ? {}
      : method === "tools/call"
      ? { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": target }
      : method === "prompts/get"
      ? { "gen_ai.prompt.name": target }
      : {}),
    ...(args === undefined ? {} : { "hotplug.argument.names": Object.keys(args) }),
    ...(connection === undefined ? {} : connectionAttributes(connection)),
  };
}

function connectionAttributes({ protocol, transport }: MCPServerConnection): SpanAttributes {
  return {
    "mcp.protocol.version": protocol.version,
    "network.transport": transport === "stdio" ? "pipe" : "tcp",
    ...(transport === "stdio" ? {} : { "network.protocol.name": "http" }),
  };
}

/**
 * The fields of `_meta` that carry a span to the server, in the form of W3C Trace Context; none for
 * a span that is not recorded or whose ids are not valid.
 */
export function traceMeta(span: TelemetrySpan): JsonObject {
  try {
    if (!span.isRecording()) return {};
    const { traceId, spanId, traceFlags, traceState } = span.spanContext();
    const isValid = /^[\da-f]{32}$/.test(traceId) && /^[\da-f]{16}$/.test(spanId) &&
      !/^0+$/.test(traceId) && !/^0+$/.test(spanId);
    if (!isValid) return {};
    const flags = (traceFlags & 0xff).toString(16).padStart(2, "0");
    const state = traceState?.serialize() ?? "";
    return {
      traceparent: `00-${traceId}-${spanId}-${flags}`,
      ...(state === "" ? {} : { tracestate: state }),
    };
  } catch {
    return {};
  }
}

/**
 * The same, unless the request came with another trace than the span's: a tracer that did not take
 * it up must not tear it.
 */
function joinedMeta(span: TelemetrySpan, meta: JsonObject | undefined): JsonObject {
  const own = traceMeta(span);
  if (meta?.["traceparent"] === undefined) return own;
  return traceParent(own)?.traceId === traceParent(meta)?.traceId ? own : {};
}

/** What work gets without a tracer. */
const NO_SPAN: OperationSpan = { meta: {}, over(): void {} };

function failWith(span: TelemetrySpan, thrown: unknown): void {
  const { code, details } = toHotplugError(thrown);
  const answer = code === "protocol-error" ? details["code"] : undefined;
  if (typeof answer === "number") span.setAttribute("rpc.response.status_code", String(answer));
  // The words of an error may hold what the server echoes of its arguments; the code does not.
  fail(span, typeof answer === "number" ? String(answer) : code, code);
}

function fail(span: TelemetrySpan, type: string, message: string): void {
  span.setAttribute("error.type", type);
  span.setStatus({ code: ERROR_STATUS, message });
}

function addAttributes(span: TelemetrySpan, attributes: SpanAttributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    span.setAttribute(name, Array.isArray(value) ? [...value] : value as string | number | boolean);
  }
}

/** A tracer is the host's code: what it throws must not fail a call. */
function harmless(action: () => void): void {
  try {
    action();
  } catch {
    // Only the span suffers.
  }
}

/** Where `@opentelemetry/api` 1.x keeps what the process has registered with it. */
const API_KEY = Symbol.for("opentelemetry.js.api.1");

/** What of that is used. */
interface RegisteredApi {
  readonly trace?: { getTracer?(name: string, version: string): TelemetryTracer };
  readonly context?: { active?(): TelemetryContext };
}

function registeredApi(): RegisteredApi | null {
  const api = (globalThis as Record<symbol, unknown>)[API_KEY];
  return typeof api === "object" && api !== null ? api : null;
}

/** The tracer of the provider that the process has registered; `null` when there is none. */
function registeredTracer(): TelemetryTracer | null {
  return registeredApi()?.trace?.getTracer?.("hotplug", VERSION) ?? null;
}

/** The context that is active now; `null` when nobody keeps one. */
function activeContext(): TelemetryContext | null {
  return registeredApi()?.context?.active?.() ?? null;
}

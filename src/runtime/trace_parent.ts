import type { JsonObject } from "../model/json.ts";
import type { TelemetryContext } from "../model/telemetry.ts";

/** Key by which OpenTelemetry's API keeps the active span in a context. */
const SPAN_KEY = Symbol.for("OpenTelemetry Context Key SPAN");

/** Version, trace, span and flags of W3C Trace Context; later versions may add to it. */
const TRACEPARENT =
  /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-|$)/;

/** The span that a request came with. */
export interface TraceParent {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** 1 when it is sampled. */
  readonly traceFlags: number;
}

/** The span that the `_meta` of a request names as its own; `null` for none. Pure. */
export function traceParent(meta: JsonObject | undefined): TraceParent | null {
  const given = meta?.["traceparent"];
  const found = typeof given === "string" ? TRACEPARENT.exec(given) : null;
  if (found === null) return null;
  const [, traceId = "", spanId = "", flags = ""] = found;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) };
}

/** A context of OpenTelemetry in which this span is the active one, above another context. */
export function contextOf(parent: TraceParent, base: TelemetryContext | null): TelemetryContext {
  const span = { spanContext: () => ({ ...parent, isRemote: true }), isRecording: () => false };
  return new Context(new Map([[SPAN_KEY, span]]), base);
}

/** Values above those of another context; immutable. */
class Context implements TelemetryContext {
  readonly #values: ReadonlyMap<symbol, unknown>;
  readonly #base: TelemetryContext | null;

  constructor(values: ReadonlyMap<symbol, unknown>, base: TelemetryContext | null) {
    this.#values = values;
    this.#base = base;
  }

  getValue(key: symbol): unknown {
    return this.#values.has(key) ? this.#values.get(key) : this.#base?.getValue(key);
  }

  setValue(key: symbol, value: unknown): TelemetryContext {
    return new Context(new Map([...this.#values, [key, value]]), this.#base);
  }

  deleteValue(key: symbol): TelemetryContext {
    return this.setValue(key, undefined);
  }
}

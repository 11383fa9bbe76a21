/** What an attribute of a span can be. */
export type SpanValue = string | number | boolean | readonly string[];

/** Attributes of a span, by name. */
export type SpanAttributes = Readonly<Record<string, SpanValue>>;

/** What of OpenTelemetry's `Span` is used. */
export interface TelemetrySpan {
  /** Which span it is. */
  spanContext(): {
    /** 32 hexadecimal digits. */
    readonly traceId: string;
    /** 16 hexadecimal digits. */
    readonly spanId: string;
    /** 1 when it is sampled. */
    readonly traceFlags: number;
    /** What vendors add. */
    readonly traceState?: { serialize(): string } | undefined;
  };
  /** Whether it is kept at all. */
  isRecording(): boolean;
  /** Adds an attribute. */
  setAttribute(name: string, value: string | number | boolean | string[]): unknown;
  /** Gives it another name. */
  updateName(name: string): unknown;
  /** Sets how it ended: 2 is an error. */
  setStatus(status: { readonly code: number; readonly message?: string }): unknown;
  /** Ends it. */
  end(): void;
}

/** What of OpenTelemetry's `Context` is used. */
export interface TelemetryContext {
  /** The value of a key. */
  getValue(key: symbol): unknown;
  /** The context with another value of a key. */
  setValue(key: symbol, value: unknown): TelemetryContext;
  /** The context without a key. */
  deleteValue(key: symbol): TelemetryContext;
}

/** What of OpenTelemetry's `Tracer` is used; a tracer of `@opentelemetry/api` is one. */
export interface TelemetryTracer {
  /** Begins a span, below that of the context; without one below the active one. */
  startSpan(
    name: string,
    options?: {
      readonly kind?: number;
      readonly attributes?: Readonly<Record<string, string | number | boolean | string[]>>;
    },
    context?: TelemetryContext,
  ): TelemetrySpan;
}

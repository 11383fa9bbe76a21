import type { JSONRPCMessage, Transport, TransportSendOptions } from "@modelcontextprotocol/client";
import type { WireTrace, WireTraceEvent } from "../model/wire_trace.ts";
import { readFrame } from "./frames.ts";
import type { WireOptions } from "./wire_options.ts";

/** The longest part of a message that is traced, in characters: 64 Ki. */
export const LONGEST_TRACED_FRAME: number = 64 * 1024;

/** The longest method and id that are traced, in characters. */
const LONGEST_NAME = 200;

/** What is told of each message beside itself. */
export interface TracedWire extends Pick<WireTraceEvent, "server" | "transport"> {
  /** Replaces known secrets. */
  readonly mask: (text: string) => string;
  /** The clock, in milliseconds since 1970. Default: the machine's. */
  readonly now?: () => number;
}

/** Takes a message on its way. */
export type TraceMessage = (direction: WireTraceEvent["direction"], message: unknown) => void;

/** Tells a trace of messages; never throws. */
export function wireTracer(wire: TracedWire, trace: WireTrace): TraceMessage {
  const now = wire.now ?? Date.now;
  return (direction, message) => {
    try {
      trace(traceEvent(direction, message, wire, now()));
    } catch {
      // A trace must not stop what it shows.
    }
  };
}

/** What a trace gets of one message. */
export function traceEvent(
  direction: WireTraceEvent["direction"],
  message: unknown,
  { server, transport, mask }: TracedWire,
  at: number,
): WireTraceEvent {
  const frame = readFrame(message);
  const text = JSON.stringify(message) ?? "";
  // Masked before it is cut: half a secret would not be known as one.
  const masked = mask(text);
  const id = frame !== null && "id" in frame ? frame.id : null;
  // A server names its methods and requests as it likes, also by what it was told.
  const shown = (name: string): string => mask(name).slice(0, LONGEST_NAME).toWellFormed();
  return {
    time: new Date(at).toISOString(),
    server,
    transport,
    direction,
    kind: frame?.kind ?? "unknown",
    method: frame !== null && "method" in frame ? shown(frame.method) : null,
    id: typeof id === "string" ? shown(id) : id,
    size: text.length,
    frame: masked.length <= LONGEST_TRACED_FRAME
      ? masked
      : `${masked.slice(0, LONGEST_TRACED_FRAME).toWellFormed()}…`,
  };
}

/** The options with a transport whose messages are traced; the same ones without a trace. */
export function traced(options: WireOptions): WireOptions {
  if (options.trace === undefined) return options;
  return { ...options, inner: new TracedTransport(options.inner, options.trace) };
}

/** A transport that tells of every message that goes through it. */
class TracedTransport implements Transport {
  readonly #inner: Transport;
  readonly #trace: TraceMessage;

  constructor(inner: Transport, trace: TraceMessage) {
    this.#inner = inner;
    this.#trace = trace;
  }

  set onmessage(listener: NonNullable<Transport["onmessage"]>) {
    this.#inner.onmessage = (message, extra) => {
      this.#trace("received", message);
      listener(message, extra);
    };
  }

  set onerror(listener: (error: Error) => void) {
    this.#inner.onerror = listener;
  }

  set onclose(listener: () => void) {
    this.#inner.onclose = listener;
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  get hasPerRequestStream(): boolean {
    return this.#inner.hasPerRequestStream === true;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    this.#trace("sent", message);
    return this.#inner.send(message, options);
  }
}

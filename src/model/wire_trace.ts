import type { TransportType } from "./definition.ts";

/** One message between a server and us, in either direction. */
export interface WireTraceEvent {
  /** When it was sent or received, in UTC as ISO 8601 with milliseconds. */
  readonly time: string;
  /** Name of the server. */
  readonly server: string;
  /** Transport that carries it. */
  readonly transport: TransportType;
  /** Whether we sent or received it. */
  readonly direction: "sent" | "received";
  /** What it is; `unknown` for what is no message of the protocol. */
  readonly kind: "request" | "notification" | "result" | "error" | "unknown";
  /** Its method; `null` for answers. */
  readonly method: string | null;
  /** Its id; `null` for notifications. */
  readonly id: string | number | null;
  /** Characters of the whole message as JSON. */
  readonly size: number;
  /**
   * The message as JSON, known secrets replaced by `***`; more than 64 Ki characters are cut, and it
   * is then no JSON any more. HTTP headers are no part of it.
   */
  readonly frame: string;
}

/** Gets every message. What it throws is ignored. */
export type WireTrace = (event: WireTraceEvent) => void;

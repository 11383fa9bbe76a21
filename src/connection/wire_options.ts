import type { Transport } from "@modelcontextprotocol/client";
import type { ServerNotification } from "../model/connection.ts";
import type { TransportType } from "../model/definition.ts";
import type { Logger } from "../model/log.ts";
import type { ForwardOptions } from "../model/forward.ts";
import type { AskHost } from "./server_requests.ts";
import type { Timers } from "./timers.ts";
import type { TraceMessage } from "./wire_trace.ts";

/** What a wire takes beside the clock. */
export interface WireOptions {
  /** Name of the server, for messages. */
  readonly name: string;
  /** The transport underneath. */
  readonly inner: Transport;
  /** Its kind. */
  readonly kind: TransportType;
  /** Milliseconds for a request that names no time-out. */
  readonly callTimeout: number;
  /** Protocol revision to offer in `initialize` in place of the SDK's newest. */
  readonly offer?: string | null;
  /** Ids of the sessions around the server, which requests of the SDK tell. Default: none. */
  readonly chain?: readonly string[];
  /** Where oddities are written. */
  readonly log: Logger;
  /** Gets every notification that is not progress or the cancelling of a request of ours. */
  readonly onNotification?: ((notification: ServerNotification) => void) | undefined;
  /** Answers what the server asks for; without it every request but `ping` is refused. */
  readonly ask?: AskHost | undefined;
  /** Gets every message in both directions. */
  readonly trace?: TraceMessage | undefined;
  /** Turns what the transport threw on sending into the error that the request ends with. */
  readonly sendError: (thrown: unknown) => Error;
  /** Why the transport closed by itself; `null` when nothing is known beyond that it did. */
  readonly closeError: () => Error | null;
  /** The clock. */
  readonly timers?: Timers;
}

/** What a request takes on its way: who asks, what stands for it, and what only HTTP uses. */
export interface WireRequestOptions extends Omit<ForwardOptions, "input" | "ask"> {
  /** Whether it is kept how its result was written, see `resultText()`. Default: no. */
  readonly keepsText?: boolean | undefined;
  /** Further HTTP headers of this request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

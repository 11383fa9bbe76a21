import type { JSONRPCMessage, Transport, TransportSendOptions } from "@modelcontextprotocol/client";
import type { ServerNotification } from "../model/connection.ts";
import type { TransportType } from "../model/definition.ts";
import { HotplugError } from "../model/errors.ts";
import type { JsonObject } from "../model/json.ts";
import type { Logger } from "../model/log.ts";
import type { Progress, RequestOptions } from "../model/tool.ts";
import { type Envelope, withMeta } from "./envelope.ts";
import { type FrameId, readFrame } from "./frames.ts";
import { InitializeExchange } from "./initialize_exchange.ts";
import { abortedError, PendingRequests } from "./pending_requests.ts";
import { cancelledError, protocolError } from "./protocol_error.ts";
import { systemTimers, type Timers } from "./timers.ts";

/** What the wire takes beside the transport. */
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
  /** Where oddities are written. */
  readonly log: Logger;
  /** Gets every notification that is not progress or the cancelling of a request of ours. */
  readonly onNotification?: ((notification: ServerNotification) => void) | undefined;
  /** Turns what the transport threw on sending into the error that the request ends with. */
  readonly sendError: (thrown: unknown) => Error;
  /** Why the transport closed by itself; `null` when nothing is known beyond that it did. */
  readonly closeError: () => Error | null;
  /** The clock. */
  readonly timers?: Timers;
}

/** {@linkcode RequestOptions} with what only HTTP uses. */
export interface WireRequestOptions extends RequestOptions {
  /** Further HTTP headers of this request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Sits between the SDK's `Client` and a transport. The client's own traffic passes through; our
 * requests go beside it with ids of their own (`hp-1`, `hp-2`, …), and their answers are taken
 * out as received, before the SDK can see or refuse them.
 *
 * `close()` only detaches: the client calls it un-awaited after a failed handshake, and the
 * transport must outlive that. Whoever made the transport closes it.
 */
export class Wire implements Transport {
  /** Set by the SDK. */
  onclose?: () => void;
  /** Set by the SDK. */
  onerror?: (error: Error) => void;
  /** Set by the SDK. */
  onmessage?: NonNullable<Transport["onmessage"]>;
  /** What the handshake said, as received. */
  readonly initialize: InitializeExchange;
  /** Settles once with why it ended; stays open while the wire lives. */
  readonly ended: Promise<Error>;
  readonly #options: WireOptions;
  readonly #pending: PendingRequests;
  readonly #aborts = new Map<string, AbortController>();
  /** Requests of the SDK that wait for an answer. */
  readonly #foreign = new Map<FrameId, string>();
  #counter = 0;
  #envelope: Envelope | null = null;
  #endReason: Error | null = null;
  #lossReason: Error | null = null;
  #settleEnded: (reason: Error) => void = () => {};

  /** Wraps a transport. Its callbacks belong to this wire from `start()` on. */
  constructor(options: WireOptions) {
    this.#options = options;
    this.#pending = new PendingRequests(options.name, options.timers ?? systemTimers);
    this.initialize = new InitializeExchange(options.offer ?? null);
    this.ended = new Promise((resolve) => this.#settleEnded = resolve);
  }

  /** Why it ended, other than by `close()`; `null` otherwise. */
  get lossReason(): Error | null {
    return this.#lossReason;
  }

  /** Settles when no request of ours waits. */
  idle(): Promise<void> {
    return this.#pending.idle();
  }

  /** The session that the server gave, if any. */
  get sessionId(): string | undefined {
    return this.#options.inner.sessionId;
  }

  /** Whether each request has a stream of its own that can be closed. */
  get hasPerRequestStream(): boolean {
    return this.#options.inner.hasPerRequestStream === true;
  }

  /** Sets the modern era: every request then carries the envelope. */
  useEnvelope(envelope: Envelope): void {
    this.#envelope = envelope;
  }

  /** Passes the agreed version on; the server's own word for it, not the SDK's stand-in. */
  setProtocolVersion(version: string): void {
    this.#options.inner.setProtocolVersion?.(this.initialize.versionSpoken(version));
  }

  /** Attaches to the transport and starts it. */
  async start(): Promise<void> {
    const { inner } = this.#options;
    inner.onmessage = (message) => this.#receive(message);
    inner.onerror = (error) => this.onerror?.(error);
    inner.onclose = () => this.#innerClosed();
    await inner.start();
  }

  /** Sends a message of the SDK. */
  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#endReason !== null) throw this.#endReason;
    const outgoing = this.initialize.outgoing(message);
    const id = "method" in outgoing && "id" in outgoing ? outgoing.id : undefined;
    if (id !== undefined && "method" in outgoing) this.#foreign.set(id, outgoing.method);
    try {
      await this.#options.inner.send(outgoing, options);
    } catch (error) {
      if (id !== undefined) this.#foreign.delete(id);
      throw error;
    }
  }

  /** Detaches; the transport stays open. */
  close(): Promise<void> {
    this.#finish(new HotplugError("connection-closed", `Closed "${this.#options.name}"`));
    return Promise.resolve();
  }

  /** Ends everything that waits with this error. Later requests end with it too. Idempotent. */
  end(error: Error): void {
    if (this.#endReason === null) this.#lossReason = error;
    this.#finish(error);
  }

  #finish(error: Error): void {
    if (this.#endReason !== null) return;
    this.#endReason = error;
    this.#settleEnded(error);
    this.#pending.rejectAll(error);
    for (const abort of this.#aborts.values()) abort.abort();
    this.#aborts.clear();
    this.#foreign.clear();
    try {
      this.onclose?.();
    } catch (thrown) {
      this.#options.log.log("warn", "A close callback threw", { error: String(thrown) });
    }
  }

  /**
   * Sends a request of ours and gives its result as received.
   * @throws {HotplugError} `aborted`, `request-timeout`, `protocol-error`, or why the connection
   * ended or could not send.
   */
  async request(
    method: string,
    params: JsonObject,
    options: WireRequestOptions = {},
  ): Promise<JsonObject> {
    if (options.signal?.aborted === true) throw abortedError(options.signal);
    if (this.#endReason !== null) throw this.#endReason;
    const id = `hp-${++this.#counter}`;
    const abort = this.hasPerRequestStream ? new AbortController() : null;
    if (abort !== null) this.#aborts.set(id, abort);
    const answer = this.#pending.add(id, {
      method,
      timeout: options.timeout ?? this.#options.callTimeout,
      signal: options.signal,
      onProgress: options.onProgress,
      onCancel: (reason) => this.#cancel(id, reason),
    });
    const frame = {
      jsonrpc: "2.0",
      id,
      method,
      params: withMeta(params, id, this.#envelope),
    } as JSONRPCMessage;
    const fail = (thrown: unknown): void => {
      if (this.#pending.has(id)) this.#pending.reject(id, this.#options.sendError(thrown));
    };
    try {
      this.#options.inner.send(frame, {
        ...(abort === null ? {} : { requestSignal: abort.signal }),
        ...(options.headers === undefined ? {} : { headers: options.headers }),
        onRequestStreamEnd: () => fail(new Error("the stream ended without an answer")),
      }).catch(fail);
    } catch (thrown) {
      fail(thrown);
    }
    try {
      return await answer;
    } finally {
      this.#aborts.delete(id);
    }
  }

  /** Ends those of our requests with this error that the transport can get no answer for. */
  fail(ids: Iterable<FrameId>, error: Error): number {
    let failed = 0;
    for (const id of ids) if (this.#pending.reject(String(id), error)) failed++;
    return failed;
  }

  #innerClosed(): void {
    const { name, closeError } = this.#options;
    const reason = closeError();
    if (reason !== null) return this.end(reason);
    this.#finish(
      new HotplugError("connection-closed", `Lost "${name}": the connection was closed`, {
        details: { delivered: "unknown" },
      }),
    );
  }

  #cancel(id: string, reason: string): void {
    const abort = this.#aborts.get(id);
    if (abort !== undefined && this.#envelope !== null) return abort.abort();
    const message = {
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: id, reason },
    } as const;
    // In the legacy era the notification cancels; the stream is closed only to free it.
    Promise.resolve().then(() => this.#options.inner.send(message)).catch((thrown) => {
      this.#options.log.log("debug", "Cannot send a cancellation", { error: String(thrown) });
    }).finally(() => abort?.abort());
  }

  #receive(message: JSONRPCMessage): void {
    const frame = readFrame(message);
    if (frame === null) {
      this.#options.log.log("warn", "Skipped a message that is none");
      return;
    }
    switch (frame.kind) {
      case "request":
        return this.#forward(message);
      case "notification":
        return this.#notified(frame.method, frame.params, message);
      case "result":
        return this.#answered(frame.id, message, (id) => this.#pending.resolve(id, frame.result));
      case "error": {
        const id = frame.id ?? this.#onlyRequest();
        if (id === null) {
          this.#options.log.log("warn", "Received an error that names no request", {
            message: frame.error.message,
          });
          return;
        }
        return this.#answered(
          id,
          { jsonrpc: "2.0", id, error: { ...frame.error } },
          (own) => this.#pending.reject(own, protocolError(this.#options.name, frame.error)),
        );
      }
    }
  }

  #answered(id: FrameId, message: JSONRPCMessage, settle: (id: string) => boolean): void {
    if (typeof id === "string" && id.startsWith("hp-")) {
      if (!settle(id)) this.#options.log.log("debug", "Dropped a late or repeated answer", { id });
      return;
    }
    const known = this.#foreignId(id);
    if (known === null) {
      this.#options.log.log("debug", "Dropped an answer to no request", { id });
      return;
    }
    const method = this.#foreign.get(known);
    this.#foreign.delete(known);
    const answer = known === id ? message : { ...message, id: known } as JSONRPCMessage;
    this.#forward(this.initialize.incoming(method ?? "", answer));
  }

  /** The SDK counts in numbers; some servers answer with the same number as a text. */
  #foreignId(id: FrameId): FrameId | null {
    if (this.#foreign.has(id)) return id;
    const other = typeof id === "string" ? Number(id) : String(id);
    return this.#foreign.has(other) ? other : null;
  }

  #onlyRequest(): FrameId | null {
    const waiting = [...this.#pending.ids(), ...this.#foreign.keys()];
    return waiting.length === 1 ? waiting[0] ?? null : null;
  }

  #notified(method: string, params: JsonObject, message: JSONRPCMessage): void {
    if (method === "notifications/progress" && this.#progressed(params)) return;
    if (method === "notifications/cancelled") {
      const id = params["requestId"];
      if (typeof id === "string" && this.#pending.has(id)) {
        const reason = params["reason"];
        this.#pending.reject(id, cancelledError(this.#options.name, reason));
        return;
      }
    }
    try {
      this.#options.onNotification?.({ method, params });
    } catch (thrown) {
      this.#options.log.log("warn", "A notification callback threw", { error: String(thrown) });
    }
    this.#forward(message);
  }

  #progressed(params: JsonObject): boolean {
    const token = params["progressToken"];
    if (typeof token !== "string") return false;
    return this.#pending.progress(token, readProgress(params));
  }

  #forward(message: JSONRPCMessage): void {
    try {
      this.onmessage?.(message);
    } catch (thrown) {
      this.onerror?.(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
  }
}

/** A wire over a child process. The SDK knows stdio by the two properties. */
export class StdioWire extends Wire {
  /** Process id of the server. */
  readonly pid: number;
  /** Not given to the SDK. */
  readonly stderr: null = null;

  /** Wraps a transport over the process `pid`. */
  constructor(options: WireOptions, pid: number) {
    super(options);
    this.pid = pid;
  }
}

function readProgress(params: JsonObject): Progress {
  const { progress, total, message } = params;
  return {
    progress: typeof progress === "number" ? progress : 0,
    ...(typeof total === "number" ? { total } : {}),
    ...(typeof message === "string" ? { message } : {}),
  };
}

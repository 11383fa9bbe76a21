import type { JSONRPCMessage, Transport, TransportSendOptions } from "@modelcontextprotocol/client";
import { HotplugError } from "../model/errors.ts";
import type { JsonObject } from "../model/json.ts";
import { type Envelope, withChain } from "./envelope.ts";
import { type Frame, type FrameId, readFrame } from "./frames.ts";
import { isUnreachable } from "./http_error.ts";
import { InitializeExchange } from "./initialize_exchange.ts";
import type { MessageExtra } from "./message_extra.ts";
import { OwnRequests } from "./own_requests.ts";
import { SdkRequests } from "./sdk_requests.ts";
import { ServerRequests } from "./server_requests.ts";
import type { WireOptions, WireRequestOptions } from "./wire_options.ts";
import { traced } from "./wire_trace.ts";

/**
 * Sits between the SDK's `Client` and a transport. The client's own traffic passes through; our
 * requests go beside it with ids of their own, and their answers are taken out as received, before
 * the SDK can see or refuse them.
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
  /**
   * Told when nobody was there for a message of the SDK or for the common stream; set by whoever
   * holds the connection.
   */
  onUnreachable?: () => void;
  /** Told when the common stream is open again; set by whoever holds the connection. */
  onReopened?: () => void;
  /** What the handshake said, as received. */
  readonly initialize: InitializeExchange;
  /** Settles once with why it ended; stays open while the wire lives. */
  readonly ended: Promise<Error>;
  readonly #options: WireOptions;
  readonly #own: OwnRequests;
  readonly #foreign = new SdkRequests();
  readonly #asked: ServerRequests;
  #endReason: Error | null = null;
  #lossReason: Error | null = null;
  #settleEnded: (reason: Error) => void = () => {};

  /** Wraps a transport. Its callbacks belong to this wire from `start()` on. */
  constructor(options: WireOptions) {
    this.#options = traced(options);
    this.#own = new OwnRequests(this.#options);
    this.#asked = new ServerRequests(this.#options, () => this.#own.hold());
    this.initialize = new InitializeExchange(options.offer ?? null);
    this.ended = new Promise((resolve) => this.#settleEnded = resolve);
  }

  /** Why it ended, other than by `close()`; `null` otherwise. */
  get lossReason(): Error | null {
    return this.#lossReason;
  }

  /** Settles when no request of ours waits. */
  idle(): Promise<void> {
    return this.#own.idle();
  }

  /** Whether a request of ours waits. */
  get isBusy(): boolean {
    return this.#own.size > 0;
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
    this.#own.useEnvelope(envelope);
  }

  /** Asks for log lines on every request of the modern era; `null` for none. */
  setLogLevel(level: string | null): void {
    this.#own.setLogLevel(level);
  }

  /** Passes the agreed version on; the server's own word for it, not the SDK's stand-in. */
  setProtocolVersion(version: string): void {
    this.#options.inner.setProtocolVersion?.(this.initialize.versionSpoken(version));
  }

  /** Attaches to the transport and starts it. */
  async start(): Promise<void> {
    const { inner } = this.#options;
    inner.onmessage = (message, extra) => this.#receive(message, extra);
    inner.onerror = (error) => this.onerror?.(error);
    inner.onclose = () => this.#innerClosed();
    await inner.start();
  }

  /** Sends a message of the SDK. */
  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    if (this.#endReason !== null) throw this.#endReason;
    const { chain = [] } = this.#options;
    const outgoing = withChain(this.initialize.outgoing(message), chain);
    const id = this.#foreign.sent(outgoing);
    if (id === null) return await this.#options.inner.send(outgoing, options);
    try {
      await this.#options.inner.send(outgoing, {
        ...options,
        onRequestStreamEnd: () => {
          this.#foreign.forget(id);
          options.onRequestStreamEnd?.();
        },
      });
    } catch (error) {
      this.#foreign.forget(id);
      if (isUnreachable(error)) this.onUnreachable?.();
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
    this.#own.end(error);
    this.#foreign.clear();
    this.#asked.end(error);
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
  request(
    method: string,
    params: JsonObject,
    options: WireRequestOptions = {},
  ): Promise<JsonObject> {
    if (this.#endReason !== null) return Promise.reject(this.#endReason);
    return this.#own.send(method, params, options);
  }

  /** Notes that the server only accepted a request: its answer comes over the common stream. */
  accepted(id: FrameId): void {
    this.#own.accepted(id);
  }

  /** Whether an answer to us may come on a common stream, or on the rest of one that broke. */
  isAwaited(isRest: boolean): boolean {
    return this.#own.isAwaited(isRest);
  }

  /** Ends those of our requests that were only accepted with this error; gives their number. */
  failAccepted(error: Error): number {
    return this.#own.failAccepted(error);
  }

  /** Ends one of our requests with this error, when the transport can get no answer for it. */
  fail(id: FrameId, error: Error): void {
    this.#own.fail(id, error);
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

  #receive(message: JSONRPCMessage, extra?: MessageExtra): void {
    // What was read together with the last message before the end comes too late.
    if (this.#endReason !== null) return;
    const frame = readFrame(message);
    switch (frame?.kind) {
      case undefined:
        return this.#options.log.log("warn", "Skipped a message that is none");
      case "request":
        void this.#asked.take(
          frame.id,
          frame.method,
          frame.params,
          this.#own.callBehind(extra?.originId ?? null),
        );
        return;
      case "notification":
        return this.#notified(frame.method, frame.params, message, extra?.originId ?? null);
      case "result":
        return this.#answered(frame.id, frame, message, extra?.resultText);
      case "error": {
        const id = frame.id ?? this.#onlyRequest();
        if (id !== null) {
          return this.#answered(id, frame, { jsonrpc: "2.0", id, error: { ...frame.error } });
        }
        this.#options.log.log("warn", "Received an error that names no request", {
          message: frame.error.message,
        });
      }
    }
  }

  #answered(
    id: FrameId,
    frame: Frame & { readonly kind: "result" | "error" },
    message: JSONRPCMessage,
    resultText?: string,
  ): void {
    const { log } = this.#options;
    if (this.#own.owns(id)) {
      const waited = frame.kind === "result"
        ? this.#own.resolve(id, frame.result, resultText)
        : this.#own.refuse(id, frame.error);
      if (!waited) log.log("debug", "Dropped a late or repeated answer", { id });
      return;
    }
    const request = this.#foreign.take(id);
    if (request === null) return log.log("debug", "Dropped an answer to no request", { id });
    const answer = request.id === id ? message : { ...message, id: request.id } as JSONRPCMessage;
    this.#forward(this.initialize.incoming(request.method, answer));
  }

  #onlyRequest(): FrameId | null {
    if (this.#own.size > 1) return null;
    const waiting = [...this.#own.ids(), ...this.#foreign.ids()];
    return waiting.length === 1 ? waiting[0] ?? null : null;
  }

  #notified(
    method: string,
    params: JsonObject,
    message: JSONRPCMessage,
    origin: FrameId | null,
  ): void {
    if (method === "notifications/progress" && this.#own.progress(params)) return;
    if (method === "notifications/cancelled" && this.#own.cancelled(params)) return;
    if (method === "notifications/cancelled" && this.#asked.cancelled(params)) return;
    try {
      const call = this.#own.notified(method, params, origin);
      this.#options.onNotification?.({ method, params, ...(call === null ? {} : { call }) });
    } catch (thrown) {
      this.#options.log.log("warn", "A notification callback threw", { error: String(thrown) });
    }
    this.#forward(message);
  }

  #forward(message: JSONRPCMessage): void {
    try {
      this.onmessage?.(message);
    } catch (thrown) {
      this.onerror?.(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
  }
}

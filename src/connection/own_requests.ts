import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { abortedError } from "../model/abort.ts";
import type { JsonObject } from "../model/json.ts";
import { type Envelope, withMeta } from "./envelope.ts";
import { type FrameError, type FrameId, readProgress } from "./frames.ts";
import { type PendingOptions, PendingRequests } from "./pending_requests.ts";
import { cancelledError, protocolError } from "./protocol_error.ts";
import { keepResultText } from "./result_text.ts";
import { type RequestStream, RequestStreams } from "./request_streams.ts";
import { systemTimers, type Timers } from "./timers.ts";
import type { WireOptions, WireRequestOptions } from "./wire_options.ts";

/** What the ids of our requests begin with; the SDK counts in numbers. */
const PREFIX = "hp-";

/** Milliseconds that the stream of an answered request may stay open. */
const LINGER_MS = 1_000;

/** Milliseconds that a server gets to take the word that a request is cancelled. */
const CANCEL_MS = 1_000;

/**
 * Our own requests over one transport: sent with ids of their own (`hp-1`, `hp-2`, …), answered as
 * received, cancelled at the server when their caller does not wait any more.
 */
export class OwnRequests {
  readonly #options: WireOptions;
  readonly #timers: Timers;
  readonly #pending: PendingRequests;
  readonly #streams: RequestStreams;
  readonly #streamOf = new Map<string, RequestStream>();
  #counter = 0;
  #envelope: Envelope | null = null;

  /** No request waits. */
  constructor(options: WireOptions) {
    this.#options = options;
    this.#timers = options.timers ?? systemTimers;
    this.#pending = new PendingRequests(options.name, this.#timers);
    this.#streams = new RequestStreams(this.#timers);
  }

  /** Sets the modern era: every request then carries the envelope. */
  useEnvelope(envelope: Envelope): void {
    this.#envelope = envelope;
  }

  /** Asks for log lines of this level on every request of the modern era; `null` for none. */
  setLogLevel(level: string | null): void {
    if (this.#envelope !== null) this.#envelope = { ...this.#envelope, logLevel: level };
  }

  /** Stops the clocks of those that wait while the host is asked; gives what lets them go on. */
  hold(): () => void {
    return this.#pending.hold();
  }

  /** Settles when none waits. */
  idle(): Promise<void> {
    return this.#pending.idle();
  }

  /** How many wait. */
  get size(): number {
    return this.#pending.size;
  }

  /** Ids of those that wait, oldest first. */
  ids(): string[] {
    return this.#pending.ids();
  }

  /** Whether an id is one of ours, waiting or not. */
  owns(id: unknown): id is string {
    return typeof id === "string" && id.startsWith(PREFIX);
  }

  /** Sends a request and gives its result as received. The signal must not have fired yet. */
  async send(
    method: string,
    params: JsonObject,
    options: WireRequestOptions,
  ): Promise<JsonObject> {
    if (options.signal?.aborted === true) throw abortedError(options.signal);
    const { inner, callTimeout, sendError } = this.#options;
    const id = `${PREFIX}${++this.#counter}`;
    const stream = inner.hasPerRequestStream === true ? this.#streams.open() : null;
    if (stream !== null) this.#streamOf.set(id, stream);
    const answer = this.#pending.add(id, {
      method,
      timeout: options.timeout ?? callTimeout,
      signal: options.signal,
      onProgress: options.onProgress,
      call: options.call,
      onLog: options.onLog,
      keepsText: options.keepsText,
      onCancel: (reason) => this.#cancel(id, reason),
    });
    const fail = (thrown: unknown): void => {
      stream?.ended();
      if (this.#pending.has(id)) this.#pending.reject(id, sendError(thrown));
    };
    const message = {
      jsonrpc: "2.0",
      id,
      method,
      params: withMeta(params, id, {
        envelope: this.#envelope,
        meta: options.meta,
        asker: options.asker,
      }),
    } as JSONRPCMessage;
    // Over HTTP a message is sent once the head of its answer is there.
    let sent = false;
    try {
      inner.send(message, {
        ...(stream === null ? {} : { requestSignal: stream.signal }),
        ...(options.headers === undefined ? {} : { headers: options.headers }),
        onRequestStreamEnd: () => fail(new Error("the stream ended without an answer")),
      }).then(() => sent = true, fail);
    } catch (thrown) {
      fail(thrown);
    }
    try {
      const result = await answer;
      // An answer that came before its head was a whole body; a later one came on a stream.
      if (sent) stream?.closeWithin(LINGER_MS);
      else stream?.ended();
      return result;
    } finally {
      this.#streamOf.delete(id);
    }
  }

  /** Takes the answer to a request; `false` when it does not wait: a late or repeated one. */
  resolve(id: string, result: JsonObject, text?: string): boolean {
    if (text !== undefined && this.#pending.get(id)?.keepsText === true) {
      keepResultText(result, text);
    }
    return this.#pending.resolve(id, result);
  }

  /** Takes the error that a request was answered with; `false` when it does not wait. */
  refuse(id: string, error: FrameError): boolean {
    return this.#fail(id, protocolError(this.#options.name, error));
  }

  /**
   * Takes a progress report; `false` when it is about no request of ours. A late one is taken and
   * dropped.
   */
  progress(params: JsonObject): boolean {
    const token = params["progressToken"];
    if (!this.owns(token)) return false;
    const { progressToken: _, ...raw } = params;
    this.#pending.progress(token, readProgress(params), raw);
    return true;
  }

  /**
   * What stands for the request because of which the server asks something: that on whose stream it
   * came, else the only one because of which it may. `null` when that is not sure.
   */
  callBehind(origin: FrameId | null): object | null {
    const { hasPerRequestStream } = this.#options.inner;
    const request = hasPerRequestStream === true
      ? this.#waiting(origin)
      : this.#pending.onlyAsking();
    return request?.call ?? null;
  }

  /**
   * Tells the request that a notification belongs to of a line of the server's log; gives what
   * stands for that request, `null` when it is not sure which it is.
   */
  notified(method: string, params: JsonObject, origin: FrameId | null): object | null {
    const isLog = method === "notifications/message";
    // Of the modern era, a server writes for the requests alone that wait for it.
    const isPiped = isLog && this.#envelope !== null &&
      this.#options.inner.hasPerRequestStream !== true;
    const request = isPiped ? this.#pending.only() : this.#waiting(origin);
    try {
      if (isLog) request?.onLog?.(params);
    } catch (thrown) {
      this.#options.log.log("warn", "A log callback threw", { error: String(thrown) });
    }
    return request?.call ?? null;
  }

  #waiting(id: FrameId | null): PendingOptions | null {
    return this.owns(id) ? this.#pending.get(id) : null;
  }

  /** Takes the server's word that it will not answer; `false` when it is about none of ours. */
  cancelled(params: JsonObject): boolean {
    const id = params["requestId"];
    if (!this.owns(id)) return false;
    this.#fail(id, cancelledError(this.#options.name, params["reason"]));
    return true;
  }

  /** Notes that a server only accepted a request: its answer comes over the one common stream. */
  accepted(id: FrameId): void {
    if (!this.owns(id)) return;
    this.#pending.accept(id);
    this.#streamOf.get(id)?.ended();
  }

  /**
   * Whether an answer may come on a stream that no request has for itself.
   * @param isRest Whether the stream goes on with one that broke, which may have been a request's.
   */
  isAwaited(isRest: boolean): boolean {
    return isRest ? this.size > 0 : this.#pending.hasAccepted;
  }

  /** Ends those that were only accepted; gives their number. */
  failAccepted(error: Error): number {
    return this.#pending.rejectAccepted(error);
  }

  /** Ends a request with this error; `false` when it does not wait. */
  fail(id: FrameId, error: Error): boolean {
    return this.owns(id) && this.#fail(id, error);
  }

  /** Ends all with the same error and closes their streams. */
  end(error: Error): void {
    this.#pending.rejectAll(error);
    this.#streams.closeAll();
    this.#streamOf.clear();
  }

  #fail(id: string, error: Error): boolean {
    const stream = this.#streamOf.get(id);
    const waited = this.#pending.reject(id, error);
    if (waited) stream?.closeWithin(LINGER_MS);
    return waited;
  }

  /** Tells the server that nobody waits for a request any more. Its stream is freed either way. */
  #cancel(id: string, reason: string): void {
    const stream = this.#streamOf.get(id);
    if (stream !== undefined && this.#envelope !== null) return stream.close();
    const message = {
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: id, reason },
    } as const;
    // In the legacy era the notification cancels. A server that hangs does not take it either, so
    // it has a stream of its own, which is closed like the request's.
    const notice = stream === undefined ? null : this.#streams.open();
    stream?.closeWithin(CANCEL_MS);
    notice?.closeWithin(CANCEL_MS);
    Promise.resolve().then(() =>
      this.#options.inner.send(message, notice === null ? {} : { requestSignal: notice.signal })
    ).catch((thrown) => {
      this.#options.log.log("debug", "Cannot send a cancellation", { error: String(thrown) });
    }).finally(() => {
      notice?.ended();
      stream?.close();
    });
  }
}

import { shownUrl } from "../definitions/shown_url.ts";
import type { AuthProvider } from "../model/auth.ts";
import { HotplugError } from "../model/errors.ts";
import { refusalError } from "./auth_refusal.ts";
import type { Silence } from "./body_reader.ts";
import { isTooLarge, readStart, tooLargeToSend } from "./bounded_body.ts";
import { type EventStreamEnd, guardedEventStream } from "./event_stream.ts";
import type { FrameId } from "./frames.ts";
import {
  asksForChanges,
  asksForStream,
  keptHeaders,
  mediaType,
  noStream,
  requestId,
} from "./http_answer.ts";
import {
  foreignAnswer,
  isUnreachable,
  lostStream,
  networkError,
  statusError,
} from "./http_error.ts";
import { OriginFetch } from "./origin_fetch.ts";
import { refusalOf } from "./refused_answer.ts";
import { SessionLostError } from "./session_loss.ts";
import { StreamPacer } from "./stream_pacer.ts";
import { LONGEST_SILENCE_MS, StreamRequest } from "./stream_request.ts";
import { delay, systemTimers, type Timers } from "./timers.ts";
import { type WholeAnswer, wholeAnswer } from "./whole_answer.ts";

/** What {@linkcode GuardedFetch} takes. */
export interface GuardedFetchOptions {
  /** Name of the server, for messages. */
  readonly name: string;
  /** The server's endpoint. */
  readonly url: URL;
  /** Which transport asks: over SSE the one GET stream carries everything. */
  readonly kind: "streamable_http" | "sse";
  /** Configured headers, checked. */
  readonly headers: Headers;
  /** Gives the token, when there is one. */
  readonly authProvider?: AuthProvider | undefined;
  /** Replaces known secrets in what is told of refusals. Default: none. */
  readonly mask?: ((text: string) => string) | undefined;
  /** Largest message in bytes, decoded. */
  readonly maxMessageBytes: number;
  /** The server has only accepted a request: its answer comes on the one common stream. */
  readonly onAccepted: (id: FrameId) => void;
  /** Whether an answer may come on the common stream, or on the rest of a broken one. */
  readonly isAwaited: (isRest: boolean) => boolean;
  /** No common stream is open any more: what was only accepted gets no answer. */
  readonly onStreamLost: (error: HotplugError) => void;
  /** A common stream is open again: what came meanwhile may have been missed. */
  readonly onReopened: () => void;
  /** The stream with the answer to one request was cut off. */
  readonly onAnswerLost: (error: HotplugError, id: FrameId) => void;
  /** Nobody was there when the common stream was asked for. */
  readonly onUnreachable: () => void;
  /** The clock. */
  readonly timers?: Timers;
  /** What sends requests. Default: `fetch`. */
  readonly fetch?: typeof fetch;
}

/** One answer with success, in one piece or as a stream. */
interface Answer extends WholeAnswer {
  /** How long it may be silent, where it is a stream of news, which is opened anew. */
  readonly silence: Silence | undefined;
}

/** How much of an error's body is read, in bytes. */
const ERROR_BODY_BYTES = 16 * 1024;

/**
 * The `fetch` of the HTTP transports: paces the common stream, bounds bodies in both directions,
 * and turns refusals, lost sessions and failures into errors of ours.
 */
export class GuardedFetch {
  readonly #options: GuardedFetchOptions;
  readonly #origin: OriginFetch;
  readonly #timers: Timers;
  readonly #pacer = new StreamPacer();
  readonly #request: StreamRequest;
  #streams = 0;
  /** Why no stream will be open; `null` while one is or may be. */
  #withoutStream: string | null = null;
  #lastError: HotplugError | null = null;

  /** Makes a `fetch` for one connection. */
  constructor(options: GuardedFetchOptions) {
    this.#options = options;
    this.#origin = new OriginFetch(options);
    this.#timers = options.timers ?? systemTimers;
    this.#request = new StreamRequest(this.#timers);
  }

  /** The last failure of ours; event sources flatten what their `fetch` throws to a text. */
  get lastError(): HotplugError | null {
    return this.#lastError;
  }

  /** Sends one request of the transport. */
  readonly fetch = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    try {
      return await this.#send(new URL(input), init);
    } catch (thrown) {
      if (thrown instanceof HotplugError) {
        this.#lastError = thrown;
        if (asksForStream(init) && isUnreachable(thrown)) this.#options.onUnreachable();
      }
      throw thrown;
    }
  };

  async #send(url: URL, init: RequestInit): Promise<Response> {
    const { name, kind, maxMessageBytes } = this.#options;
    const isStream = asksForStream(init);
    const asksForNews = isStream && kind === "streamable_http";
    if (isStream && kind === "sse" && this.#streams > 0) {
      // A second stream would be another session, without a handshake. 204 ends the asking.
      return new Response(null, { status: 204 });
    }
    if (asksForNews) {
      const wait = this.#pacer.nextWait();
      if (wait === null) return this.#streamLost("it ended every stream at once");
      if (wait > 0) await delay(this.#timers, wait, init.signal);
    }
    if (typeof init.body === "string" && init.body.length > maxMessageBytes) {
      throw tooLargeToSend(name, maxMessageBytes);
    }
    const id = requestId(init.body);
    const response = asksForNews
      ? await this.#request.ask((asked) => this.#origin.send(url, asked), init)
      : await this.#origin.send(url, init);
    if (!response.ok) return await this.#refused(response, url, init);
    if (id !== null && response.status === 202) {
      this.#options.onAccepted(id);
      if (this.#withoutStream !== null) this.#streamLost(this.#withoutStream);
    }
    const isRest = new Headers(init.headers).has("last-event-id");
    const isAwaited = (): boolean => this.#options.isAwaited(isRest);
    const silence = asksForNews || asksForChanges(init.body)
      ? { ms: LONGEST_SILENCE_MS, timers: this.#timers, isAwaited }
      : undefined;
    const answer: Answer = { response, id, signal: init.signal, silence };
    if (isStream) return await this.#streaming(answer);
    return mediaType(response.headers) === "text/event-stream" && response.body !== null
      ? this.#answering(answer, response.body)
      : await wholeAnswer(answer, this.#options);
  }

  async #refused(response: Response, url: URL, init: RequestInit): Promise<Response> {
    const { name, kind } = this.#options;
    const { status, statusText, headers } = response;
    const body = await this.#start(response, init.signal);
    const hadSession = new Headers(init.headers).has("mcp-session-id");
    switch (refusalOf({ status, body, method: init.method ?? "GET", kind, hadSession })) {
      case "no-access":
        throw refusalError(name, {
          status,
          challenge: headers.get("www-authenticate"),
          body,
          configured: this.#options.headers.has("authorization"),
        });
      case "no-stream":
        return this.#streamLost(`it answered HTTP ${status}`);
      case "lost-session":
        throw new SessionLostError(`HTTP ${status}: ${body.slice(0, 200)}`);
      case "failure":
        throw statusError(name, url, { status, body });
      case "other":
        return new Response(body, {
          status,
          statusText,
          headers: { "content-type": headers.get("content-type") ?? "text/plain" },
        });
    }
  }

  /** The start of a body, masked before more is cut off: half a secret is not known as one. */
  async #start({ body }: Response, signal: Answer["signal"]): Promise<string> {
    const start = await readStart(body, ERROR_BODY_BYTES, signal);
    return this.#options.mask?.(start) ?? start;
  }

  /** The answer to the asking for the common stream, or for the rest of a broken one. */
  async #streaming(answer: Answer): Promise<Response> {
    const { response, signal } = answer;
    const { name, url, kind } = this.#options;
    const type = mediaType(response.headers);
    if (type !== "text/event-stream" || response.body === null) {
      const start = await this.#start(response, signal);
      if (kind === "sse") throw foreignAnswer(name, url, { type, start });
      return this.#streamLost(`it answered with ${type === "" ? "no type" : type}`);
    }
    const opened = this.#timers.now();
    this.#streams++;
    this.#withoutStream = null;
    if (this.#request.opened()) this.#options.onReopened();
    return this.#events(answer, response.body, (end) => {
      this.#streamEnded(end, this.#timers.now() - opened);
    });
  }

  /** The stream with the answer to one request. */
  #answering(answer: Answer, body: ReadableStream<Uint8Array>): Response {
    const { id } = answer;
    return this.#events(answer, body, ({ error }) => {
      // A broken connection may be resumed; a body that is too large was cut off by us.
      if (id !== null && isTooLarge(error)) this.#options.onAnswerLost(error, id);
    });
  }

  #events(
    { response, id: requestId, signal, silence }: Answer,
    body: ReadableStream<Uint8Array>,
    onEnd: (end: EventStreamEnd) => void,
  ): Response {
    const { name, url, maxMessageBytes: maxBytes } = this.#options;
    const broken = (thrown: unknown): Error => networkError(name, url, thrown);
    const options = { name, maxBytes, requestId, signal, silence, broken, onEnd };
    const guarded = guardedEventStream(body, options);
    return new Response(guarded, {
      status: response.status,
      headers: keptHeaders(response.headers),
    });
  }

  #streamEnded(end: EventStreamEnd, lifeMs: number): void {
    if (end.cancelled) return;
    const { name, url, kind } = this.#options;
    if (kind === "streamable_http") return this.#pacer.streamEnded(lifeMs, end.events);
    this.#options.onStreamLost(
      isTooLarge(end.error) ? end.error : new HotplugError(
        "connection-closed",
        `Lost "${name}": ${shownUrl(url.href)} ended the event stream`,
        { cause: end.error ?? undefined, details: { delivered: "unknown" } },
      ),
    );
  }

  /** Notes that no stream will be open; gives the answer that says so. */
  #streamLost(why: string): Response {
    this.#withoutStream = why;
    this.#options.onStreamLost(lostStream(this.#options.name, why));
    return noStream();
  }
}

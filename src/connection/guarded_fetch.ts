import type { AuthProvider } from "../model/auth.ts";
import { HotplugError } from "../model/errors.ts";
import { refusalError } from "./auth_refusal.ts";
import { readBounded, readStart } from "./bounded_body.ts";
import { CookieJar } from "./cookie_jar.ts";
import { type EventStreamEnd, guardedEventStream } from "./event_stream.ts";
import type { FrameId } from "./frames.ts";
import { answerText, keptHeaders, noStream, requestId } from "./http_answer.ts";
import { networkError, statusError } from "./http_error.ts";
import { shownEndpoint } from "./masking.ts";
import { isSessionLost, SessionLostError } from "./session_loss.ts";
import { StreamPacer } from "./stream_pacer.ts";
import { systemTimers, type Timers } from "./timers.ts";

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
  /** Largest message in bytes, decoded. */
  readonly maxMessageBytes: number;
  /**
   * No stream from the server is open any more. The ids are of requests that it only accepted,
   * whose answers would have come there.
   */
  readonly onStreamLost: (error: HotplugError, accepted: readonly FrameId[]) => void;
  /** The stream with the answer to one request was cut off. */
  readonly onAnswerLost: (error: HotplugError, id: FrameId) => void;
  /** The clock. */
  readonly timers?: Timers;
  /** What sends requests. Default: `fetch`. */
  readonly fetch?: typeof fetch;
}

/** Redirects followed at most. */
const MOST_REDIRECTS = 5;

/** How much of an error's body is read, in bytes. */
const ERROR_BODY_BYTES = 16 * 1024;

/**
 * The `fetch` of the HTTP transports. Configured headers, token and cookies go to the server's own
 * origin alone; redirects are followed within it, when they keep the method; bodies are bounded;
 * refusals, lost sessions and network failures become errors of ours.
 */
export class GuardedFetch {
  readonly #options: GuardedFetchOptions;
  readonly #fetch: typeof fetch;
  readonly #timers: Timers;
  readonly #cookies = new CookieJar();
  readonly #pacer = new StreamPacer();
  readonly #accepted = new Set<FrameId>();
  #streams = 0;
  /** Why no stream will be open; `null` while one is or may be. */
  #withoutStream: string | null = null;
  #lastError: HotplugError | null = null;

  /** Makes a `fetch` for one connection. */
  constructor(options: GuardedFetchOptions) {
    this.#options = options;
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
    this.#timers = options.timers ?? systemTimers;
  }

  /** The last failure of ours; event sources flatten what their `fetch` throws to a text. */
  get lastError(): HotplugError | null {
    return this.#lastError;
  }

  /** Sends one request of the transport. */
  readonly fetch = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    try {
      return await this.#send(input, init);
    } catch (thrown) {
      if (thrown instanceof HotplugError) this.#lastError = thrown;
      throw thrown;
    }
  };

  async #send(input: string | URL, init: RequestInit): Promise<Response> {
    const method = init.method ?? "GET";
    const isStream = method === "GET";
    if (isStream && this.#options.kind === "sse" && this.#streams > 0) {
      // A second stream would be another session, without a handshake. 204 ends the asking.
      return new Response(null, { status: 204 });
    }
    if (isStream && this.#options.kind === "streamable_http") {
      const wait = this.#pacer.nextWait();
      if (wait === null) {
        this.#streamLost("it ended every stream at once");
        return noStream();
      }
      if (wait > 0) await this.#wait(wait, init.signal ?? undefined);
    }
    const id = requestId(init.body);
    const response = await this.#authorized(new URL(input), init);
    this.#cookies.take(response.headers);
    if (!response.ok) return await this.#refused(response, new URL(input), method, init);
    if (id !== null && response.status === 202) {
      this.#accepted.add(id);
      if (this.#withoutStream !== null) this.#streamLost(this.#withoutStream);
    }
    return await this.#guarded(response, isStream, id);
  }

  /** Sends a request, and once more when a token was refused and the provider has another. */
  async #authorized(url: URL, init: RequestInit): Promise<Response> {
    const { authProvider } = this.#options;
    const token = await authProvider?.token();
    const response = await this.#followed(url, init, token);
    if (response.status !== 401 || authProvider === undefined) return response;
    const renewed = await authProvider.token();
    if (renewed === undefined || renewed === token) return response;
    await response.body?.cancel();
    return await this.#followed(url, init, renewed);
  }

  async #followed(start: URL, init: RequestInit, token: string | undefined): Promise<Response> {
    let url = start;
    for (let count = 0;; count++) {
      const response = await this.#once(url, init, token);
      if (response.status < 300 || response.status >= 400 || response.status === 304) {
        return response;
      }
      const location = response.headers.get("location");
      const target = location === null ? null : URL.parse(location, url);
      await response.body?.cancel();
      const keepsMethod = response.status === 307 || response.status === 308;
      if (target?.origin !== this.#options.url.origin || !keepsMethod || count >= MOST_REDIRECTS) {
        throw this.#redirectError(response.status, url, target);
      }
      url = target;
    }
  }

  async #once(url: URL, init: RequestInit, token: string | undefined): Promise<Response> {
    const { name, url: own } = this.#options;
    if (url.origin !== own.origin) {
      throw new HotplugError(
        "server-unreachable",
        `Cannot reach "${name}": it names an endpoint at ${url.origin}, which is not its own origin ${own.origin}`,
      );
    }
    const headers = new Headers(init.headers);
    for (const [key, value] of this.#options.headers) {
      if (!headers.has(key)) headers.set(key, value);
    }
    if (token !== undefined && token !== "") headers.set("authorization", `Bearer ${token}`);
    const cookie = this.#cookies.header();
    if (cookie !== null && !headers.has("cookie")) headers.set("cookie", cookie);
    try {
      return await this.#fetch(url, { ...init, ...sentOnce(init), headers, redirect: "manual" });
    } catch (thrown) {
      if (init.signal?.aborted === true) throw thrown;
      throw networkError(name, url, thrown);
    }
  }

  #redirectError(status: number, from: URL, target: URL | null): HotplugError {
    const { name } = this.#options;
    const to = target === null ? "nowhere" : shownEndpoint(target);
    const slash = target !== null && target.origin === from.origin &&
      target.pathname.replace(/\/$/, "") === from.pathname.replace(/\/$/, "");
    return new HotplugError(
      "server-unreachable",
      `Cannot reach "${name}": ${
        shownEndpoint(from)
      } redirects to ${to} (HTTP ${status}), which is not followed`,
      {
        hint: slash
          ? `The urls differ in the last slash alone; set url to ${to}`
          : "If that is the server meant, set url to it",
        details: { status, delivered: "no" },
      },
    );
  }

  async #refused(
    response: Response,
    url: URL,
    method: string,
    init: RequestInit,
  ): Promise<Response> {
    const { name, kind } = this.#options;
    const { status } = response;
    const body = await readStart(response.body, ERROR_BODY_BYTES);
    const challenge = response.headers.get("www-authenticate") ?? null;
    if (status === 401 || status === 403) {
      throw refusalError(name, {
        status,
        challenge: challenge,
        body,
        configured: this.#options.headers.has("authorization"),
      });
    }
    if (method === "GET" && kind === "streamable_http") {
      if (status >= 500 && status !== 501) {
        return new Response(body, { status, statusText: response.statusText });
      }
      this.#streamLost(`it answered HTTP ${status}`);
      return noStream();
    }
    const hadSession = new Headers(init.headers).has("mcp-session-id");
    if (method === "POST" && hadSession && isSessionLost(status, body)) {
      throw new SessionLostError(`HTTP ${status}: ${body.slice(0, 200)}`);
    }
    if (method === "POST" && kind === "sse") throw statusError(name, url, { status, body });
    return new Response(body, {
      status,
      statusText: response.statusText,
      headers: { "content-type": response.headers.get("content-type") ?? "text/plain" },
    });
  }

  async #guarded(
    response: Response,
    isStream: boolean,
    id: FrameId | null,
  ): Promise<Response> {
    const { name, url, maxMessageBytes } = this.#options;
    const { status, headers, body } = response;
    if (body === null) return response;
    const type = (headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
    if (type === "text/event-stream") {
      const opened = this.#timers.now();
      if (isStream) {
        this.#streams++;
        this.#withoutStream = null;
      }
      const guarded = guardedEventStream(body, {
        name,
        maxBytes: maxMessageBytes,
        requestId: id,
        broken: (thrown) => networkError(name, url, thrown),
        onEnd: (end) => {
          if (isStream) this.#streamEnded(end, this.#timers.now() - opened);
          else if (id !== null) this.#answerEnded(end, id);
        },
      });
      return new Response(guarded, { status, headers: keptHeaders(headers) });
    }
    let text: string;
    try {
      text = await readBounded(name, body, maxMessageBytes);
    } catch (thrown) {
      throw thrown instanceof HotplugError ? thrown : networkError(name, url, thrown);
    }
    const kept = keptHeaders(headers);
    const answer = answerText(text, type ?? "", id);
    if (answer !== null) kept.set("content-type", "application/json");
    return new Response(status === 204 || status === 205 ? null : answer ?? text, {
      status,
      headers: kept,
    });
  }

  #streamEnded(end: EventStreamEnd, lifeMs: number): void {
    const { name, url, kind } = this.#options;
    if (end.cancelled) return;
    if (kind === "streamable_http") return this.#pacer.streamEnded(lifeMs, end.events);
    const error = isTooLarge(end.error) ? end.error : new HotplugError(
      "connection-closed",
      `Lost "${name}": ${shownEndpoint(url)} ended the event stream`,
      { cause: end.error ?? undefined, details: { delivered: "unknown" } },
    );
    this.#options.onStreamLost(error, []);
  }

  /** A broken connection may be resumed; a body that is too large was cut off by us. */
  #answerEnded({ error }: EventStreamEnd, id: FrameId): void {
    if (isTooLarge(error)) this.#options.onAnswerLost(error, id);
  }

  #streamLost(why: string): void {
    this.#withoutStream = why;
    const accepted = [...this.#accepted];
    this.#accepted.clear();
    const error = new HotplugError(
      "connection-closed",
      `Lost the stream from "${this.#options.name}": ${why}`,
      { details: { delivered: "unknown" } },
    );
    this.#options.onStreamLost(error, accepted);
  }

  #wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        stop();
        reject(signal?.reason);
      };
      const stop = this.#timers.after(ms, () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      });
      if (signal?.aborted === true) onAbort();
      else signal?.addEventListener("abort", onAbort, { once: true });
    });
  }
}

/**
 * The body in a form that the runtime cannot send twice. Deno repeats a request with a text body
 * by itself when a reused connection breaks before the answer, and a tool would run twice.
 */
function sentOnce(init: RequestInit): RequestInit {
  return typeof init.body === "string" ? { body: new Blob([init.body]) } : {};
}

function isTooLarge(error: Error | null): error is HotplugError {
  return error instanceof HotplugError && error.code === "message-too-large";
}

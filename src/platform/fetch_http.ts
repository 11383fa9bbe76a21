import { CoarseTimers } from "./coarse_timers.ts";
import type {
  BodyFailure,
  BodyLimits,
  HttpAnswer,
  HttpListener,
  HttpListenOptions,
  HttpRequest,
  ServeFetch,
} from "./http_listener.ts";
import { OutgoingText } from "./outgoing_text.ts";
import { within } from "./within.ts";

/** Characters up to which an answer is given to the server whole: it may then be sent at leisure. */
const WHOLE = 256 * 1024;

/** Milliseconds that the last answers have to reach their clients. */
const FINISH_MS = 1_000;

/** Milliseconds after which an end no longer waits for the system. */
const CLOSE_MS = 500;

/** Milliseconds after which it is worth while to be told that a client has gone. */
const PATIENCE_MS = 20;

/** What Deno says of the one way in which it tells that a client has gone. */
const KNOWN = "request.signal aborts on successful responses";

/**
 * Listens with a server of the runtime's own.
 * @throws What the system says.
 */
export async function listenFetch(
  { address, port, handler, limits }: HttpListenOptions,
  serve: ServeFetch,
): Promise<HttpListener> {
  const timers = new CoarseTimers();
  const streams = new Set<OutgoingText>();
  const server = await serve({
    address,
    port,
    async respond(request): Promise<Response> {
      const taken = new FetchRequest(request, timers);
      const answer = await handler(taken);
      taken.answered();
      return responseOf(answer, limits.stallMs, streams);
    },
  });
  const close = async (): Promise<void> => {
    const finished = server.finish();
    await within(FINISH_MS, finished);
    for (const stream of streams) stream.cut();
    await within(CLOSE_MS, finished);
    timers.close();
  };
  let closing: Promise<void> | null = null;
  return {
    port: server.port,
    close: () => closing ??= close(),
  };
}

/** A request of `fetch`. */
class FetchRequest implements HttpRequest {
  readonly method: string;
  readonly #request: Request;
  readonly #timers: CoarseTimers;
  #stop = (): void => {};

  constructor(request: Request, timers: CoarseTimers) {
    this.#request = request;
    this.#timers = timers;
    this.method = request.method;
  }

  get target(): string {
    const { url } = this.#request;
    // After "http://".
    const slash = url.indexOf("/", url.indexOf("//") + 2);
    return slash < 0 ? "/" : url.slice(slash);
  }

  header(name: string): string | null {
    return this.#request.headers.get(name);
  }

  async text(
    { mostBytes, withinMs }: BodyLimits,
  ): Promise<{ readonly text: string } | BodyFailure> {
    const length = this.header("content-length");
    if (length !== null && Number(length) > mostBytes) return "too-large";
    let callOff = (): void => {};
    const late = new Promise<"too-slow">((resolve) => {
      callOff = this.#timers.after(withinMs, () => resolve("too-slow"));
    });
    try {
      // What has a length cannot be longer than it says.
      const reading = length === null
        ? readBounded(this.#request, mostBytes)
        : this.#request.text().then((text) => ({ text }));
      return await Promise.race([reading, late]);
    } catch {
      return "broken";
    } finally {
      callOff();
    }
  }

  onGone(listener: () => void): void {
    // To look at the signal costs a third of a quick request's time, so that slow ones alone do.
    this.#stop = this.#timers.after(PATIENCE_MS, () => {
      keepQuiet();
      const { signal } = this.#request;
      const gone = (): void => listener();
      if (signal.aborted) return gone();
      signal.addEventListener("abort", gone, { once: true });
      this.#stop = () => signal.removeEventListener("abort", gone);
    });
  }

  /** Notes that there is an answer: under Deno the signal fires at its end, too. */
  answered(): void {
    this.#stop();
  }
}

async function readBounded(
  { body }: Request,
  mostBytes: number,
): Promise<{ readonly text: string } | BodyFailure> {
  if (body === null) return { text: "" };
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of body as ReadableStream<Uint8Array>) {
    size += chunk.byteLength;
    if (size > mostBytes) return "too-large";
    text += decoder.decode(chunk, { stream: true });
  }
  return { text: text + decoder.decode() };
}

function responseOf(
  { status, headers, body }: HttpAnswer,
  stallMs: number,
  streams: Set<OutgoingText>,
): Response {
  if (typeof body !== "string") return new Response(streamOf(body, streams), { status, headers });
  if (body.length <= WHOLE) return new Response(body === "" ? null : body, { status, headers });
  const text = new OutgoingText({ mostWaiting: body.length, stallMs });
  text.push(body);
  text.end();
  return new Response(streamOf(text, streams), { status, headers });
}

/** A text that comes piece by piece as a stream, which reads on as its reader does. */
function streamOf(
  text: OutgoingText,
  streams: Set<OutgoingText>,
): ReadableStream<Uint8Array> {
  streams.add(text);
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    start(controller): void {
      text.onCut = () => {
        streams.delete(text);
        controller.error(new Error("The reader was cut off"));
      };
    },
    async pull(controller): Promise<void> {
      const piece = await text.take();
      if (text.isGone) return;
      if (piece !== null) return controller.enqueue(encoder.encode(piece));
      streams.delete(text);
      controller.close();
    },
    cancel(): void {
      streams.delete(text);
      text.abandon();
    },
  }, { highWaterMark: 0 });
}

let isQuiet = false;

/** Keeps Deno from warning of what is heeded here. It warns once. */
function keepQuiet(): void {
  if (isQuiet) return;
  isQuiet = true;
  const own = console;
  const { warn } = own;
  own.warn = (...words: readonly unknown[]): void => {
    if (!String(words[0]).includes(KNOWN)) return warn.apply(own, [...words]);
    own.warn = warn;
  };
}

import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CoarseTimers } from "./coarse_timers.ts";
import type {
  BodyFailure,
  BodyLimits,
  HttpAnswer,
  HttpListener,
  HttpListenOptions,
  HttpRequest,
} from "./http_listener.ts";
import { OutgoingText } from "./outgoing_text.ts";
import { within } from "./within.ts";

/** Characters up to which an answer is written whole. */
const WHOLE = 256 * 1024;

/** Milliseconds that the last answers have to reach their clients. */
const FINISH_MS = 1_000;

/** Milliseconds after which an end no longer waits for the system. */
const CLOSE_MS = 500;

/**
 * Requests of one connection that may wait for their answers. Hardly any client sends the next before
 * it has the answer; who sends thousands and reads none would fill the memory under Deno.
 */
const MOST_PIPELINED = 16;

/** Milliseconds between two looks for clients that are too slow. */
const LOOK_MS = 1_000;

/**
 * Listens with `node:http`.
 * @throws What the system says.
 */
export async function listenNode(options: HttpListenOptions): Promise<HttpListener> {
  const { address, port, handler, limits } = options;
  const timers = new CoarseTimers();
  const waiting = new WeakMap<object, number>();
  /** Counts a request of a connection until it has its answer; one too many ends the connection. */
  const isBorne = ({ socket }: IncomingMessage, outgoing: ServerResponse): boolean => {
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > MOST_PIPELINED) {
      socket.destroy();
      return false;
    }
    waiting.set(socket, count);
    outgoing.once("close", () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    return true;
  };
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: Math.min(LOOK_MS, limits.headersMs),
    // Else the first of several counts, whatever whoever stands in front makes of them.
    joinDuplicateHeaders: true,
  }, (incoming, outgoing) => {
    if (!isBorne(incoming, outgoing)) return;
    // Node would leave out those beyond its own bound, without a word.
    if (incoming.rawHeaders.length > 2 * limits.headers) return refuse(outgoing);
    void handler(new NodeRequest(incoming, outgoing, timers)).then((answer) =>
      write(incoming, outgoing, answer, limits.stallMs)
    );
  });
  server.maxHeadersCount = 0;
  server.maxConnections = Math.min(limits.connections, mostDescriptors() / 2);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, address, () => {
      server.off("error", reject);
      // A client that cannot be taken on (no descriptor left) is that client's loss.
      server.on("error", () => {});
      resolve();
    });
  });
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    await within(FINISH_MS, closed);
    server.closeAllConnections();
    await within(CLOSE_MS, closed);
    timers.close();
  };
  let closing: Promise<void> | null = null;
  return {
    port: (server.address() as AddressInfo).port,
    close: () => closing ??= close(),
  };
}

/** A request of `node:http`. */
class NodeRequest implements HttpRequest {
  readonly method: string;
  readonly target: string;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #timers: CoarseTimers;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, timers: CoarseTimers) {
    this.#timers = timers;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.method = incoming.method ?? "";
    this.target = incoming.url ?? "/";
  }

  header(name: string): string | null {
    const value = this.#incoming.headers[name];
    return Array.isArray(value) ? value.join(", ") : value ?? null;
  }

  text({ mostBytes, withinMs }: BodyLimits): Promise<{ readonly text: string } | BodyFailure> {
    const incoming = this.#incoming;
    if (Number(this.header("content-length") ?? 0) > mostBytes) return Promise.resolve("too-large");
    return new Promise((resolve) => {
      const chunks: Uint8Array[] = [];
      let size = 0;
      const end = (outcome: { readonly text: string } | BodyFailure): void => {
        callOff();
        incoming.off("data", take).off("end", whole).off("close", broken);
        resolve(outcome);
      };
      const take = (chunk: Uint8Array): void => {
        size += chunk.byteLength;
        if (size > mostBytes) return end("too-large");
        chunks.push(chunk);
      };
      const whole = (): void => end({ text: Buffer.concat(chunks).toString("utf8") });
      const broken = (): void => end("broken");
      const callOff = this.#timers.after(withinMs, () => end("too-slow"));
      incoming.on("data", take).on("end", whole).on("close", broken).on("error", () => {});
    });
  }

  onGone(listener: () => void): void {
    const outgoing = this.#outgoing;
    outgoing.once("close", () => {
      if (!outgoing.headersSent) listener();
    });
  }
}

/**
 * How many descriptors the process may have; only Linux says so. Deno's `node:http` takes no
 * connections on any more once there was none left, so that it must not come to that.
 */
function mostDescriptors(): number {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}

function refuse(outgoing: ServerResponse): void {
  outgoing.writeHead(431, { connection: "close" }).end();
}

function write(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { status, headers, body }: HttpAnswer,
  stallMs: number,
): void {
  outgoing.on("error", () => {});
  if (outgoing.destroyed) {
    if (typeof body !== "string") body.abandon();
    return;
  }
  // What was not read to its end would be taken for the next request.
  const close = incoming.complete ? {} : { connection: "close" };
  if (typeof body === "string" && body.length <= WHOLE) {
    const length = body === "" && status === 204 ? {} : {
      "content-length": Buffer.byteLength(body),
    };
    outgoing.writeHead(status, { ...headers, ...close, ...length }).end(body);
    return;
  }
  outgoing.writeHead(status, { ...headers, ...close });
  if (typeof body !== "string") {
    outgoing.flushHeaders();
    void pump(outgoing, body);
    return;
  }
  const text = new OutgoingText({ mostWaiting: body.length, stallMs });
  text.push(body);
  text.end();
  void pump(outgoing, text);
}

/** Writes on as the reader reads. Never rejects. */
async function pump(outgoing: ServerResponse, text: OutgoingText): Promise<void> {
  text.onCut = () => outgoing.destroy();
  outgoing.once("close", () => text.abandon());
  for (;;) {
    const piece = await text.take();
    if (text.isGone) return;
    if (piece === null) break;
    if (!outgoing.write(piece)) await drained(outgoing);
  }
  outgoing.end();
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off("drain", done).off("close", done);
      resolve();
    };
    outgoing.on("drain", done).on("close", done);
  });
}

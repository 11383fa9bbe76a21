import type { OutgoingText } from "./outgoing_text.ts";

/** Why the body of a request was not read to its end. */
export type BodyFailure = "too-large" | "too-slow" | "broken";

/** What the body of a request may be. */
export interface BodyLimits {
  /** Most bytes. */
  readonly mostBytes: number;
  /** Milliseconds to read all of it. */
  readonly withinMs: number;
}

/** One request, in the same form whichever server took it. */
export interface HttpRequest {
  /** Its method, as sent. */
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  /** A header by its name in lower case; `null` when there is none. Several are joined by commas. */
  header(name: string): string | null;
  /** The whole body as text, or why there is none. To be called once. Never rejects. */
  text(limits: BodyLimits): Promise<{ readonly text: string } | BodyFailure>;
  /**
   * Tells when the client goes away before it has an answer. To be called once; afterwards a body
   * that is an {@linkcode OutgoingText} knows.
   */
  onGone(listener: () => void): void;
}

/** What a request is answered with. */
export interface HttpAnswer {
  /** Status code. */
  readonly status: number;
  /** Headers; what the length of the body says is filled in. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body: a text, or one that comes piece by piece. */
  readonly body: string | OutgoingText;
}

/** Answers requests. Must not throw or reject. */
export type HttpHandler = (request: HttpRequest) => Promise<HttpAnswer>;

/** How much of a connection and of its headers a server bears. */
export interface ConnectionLimits {
  /** Most bytes of all headers of one request. */
  readonly headerBytes: number;
  /** Most headers of one request. */
  readonly headers: number;
  /** Milliseconds in which the headers of a request must be there. */
  readonly headersMs: number;
  /** Milliseconds in which a whole request must be there. */
  readonly requestMs: number;
  /** Milliseconds that a connection without a request stays open. */
  readonly idleMs: number;
  /** Most connections. */
  readonly connections: number;
  /** Milliseconds that a client may take for one piece of a long answer. */
  readonly stallMs: number;
}

/** What {@linkcode listenHttp} takes. */
export interface HttpListenOptions {
  /** Address to listen at, as a literal. */
  readonly address: string;
  /** Port; 0 for any that is free. */
  readonly port: number;
  /** Answers requests. */
  readonly handler: HttpHandler;
  /** What is borne. */
  readonly limits: ConnectionLimits;
  /**
   * Whose server it is: `runtime` is Deno's or Bun's own where there is one, which takes the least
   * time and memory but waits for headers, and for the rest of a body that was refused, as long as
   * it takes; `node` is `node:http`, which cuts slow clients. Default: `runtime` for a loopback address, else `node`.
   */
  readonly server?: "runtime" | "node" | undefined;
}

/** A server that listens. */
export interface HttpListener {
  /** The port that it listens at. */
  readonly port: number;
  /**
   * Listens no more, lets answers that have begun reach their clients for a moment, and cuts what is
   * then still connected. Bounded, idempotent, never rejects.
   */
  close(): Promise<void>;
}

/** A server of the runtime's own, in which requests and answers are those of `fetch`. */
export interface FetchServer {
  /** The port that it listens at. */
  readonly port: number;
  /** Listens no more; resolves when every answer has reached its client. */
  finish(): Promise<void>;
}

/** Starts such a server. Rejects with what the system says. */
export type ServeFetch = (options: {
  readonly address: string;
  readonly port: number;
  readonly respond: (request: Request) => Promise<Response>;
}) => Promise<FetchServer>;

/** A server of Deno's. */
interface DenoServer {
  readonly addr: { readonly port: number };
  /** Rejects when it no longer takes connections on, as no descriptor is left. */
  readonly finished: Promise<void>;
  shutdown(): Promise<void>;
}

/** What of the two runtimes is used here. */
interface Runtimes {
  readonly Deno?: {
    serve(
      options: {
        readonly hostname: string;
        readonly port: number;
        readonly onListen: () => void;
        readonly onError: () => Response;
      },
      handler: (request: Request) => Promise<Response>,
    ): DenoServer;
  };
  readonly Bun?: {
    serve(options: {
      readonly hostname: string;
      readonly port: number;
      readonly idleTimeout: number;
      readonly fetch: (request: Request) => Promise<Response>;
      readonly error: () => Response;
    }): { readonly port: number; stop(cut: boolean): Promise<void> };
  };
}

/**
 * Listens for HTTP requests at one address.
 * @throws What the system says of an address that cannot be listened at, with its `code`.
 */
export async function listenHttp(options: HttpListenOptions): Promise<HttpListener> {
  const { address, server = isLoopback(address) ? "runtime" : "node" } = options;
  const serve = server === "node" ? null : ownServer(globalThis as unknown as Runtimes);
  if (serve === null) return await (await import("./node_http.ts")).listenNode(options);
  return await (await import("./fetch_http.ts")).listenFetch(options, serve);
}

/** Whether only this machine reaches an address. Pure. */
export function isLoopback(address: string): boolean {
  return address === "::1" || address === "localhost" || /^127\.\d+\.\d+\.\d+$/.test(address);
}

function ownServer({ Deno, Bun }: Runtimes): ServeFetch | null {
  if (Deno !== undefined) return (options) => serveWithDeno(Deno, options);
  return Bun === undefined ? null : (options) => serveWithBun(Bun, options);
}

/** Milliseconds after which a server that has lost its port listens again. */
const AGAIN_MS = 250;

const failed = (): Response => new Response(null, { status: 500 });

function serveWithDeno(
  deno: NonNullable<Runtimes["Deno"]>,
  { address, port: asked, respond }: Parameters<ServeFetch>[0],
): Promise<FetchServer> {
  const serveAt = (port: number): DenoServer =>
    deno.serve({ hostname: address, port, onListen: () => {}, onError: failed }, respond);
  let server = serveAt(asked);
  const { port } = server.addr;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  // Deno listens no more once a connection could not be taken on; those that it has go on.
  const again = (): void => {
    try {
      server = serveAt(port);
      watch();
    } catch {
      timer = setTimeout(again, AGAIN_MS);
    }
  };
  const watch = (): void => {
    server.finished.catch(() => {
      if (!isOver) timer = setTimeout(again, AGAIN_MS);
    });
  };
  watch();
  return Promise.resolve({
    port,
    async finish(): Promise<void> {
      isOver = true;
      clearTimeout(timer);
      await server.shutdown();
    },
  });
}

function serveWithBun(
  bun: NonNullable<Runtimes["Bun"]>,
  { address, port, respond }: Parameters<ServeFetch>[0],
): Promise<FetchServer> {
  // A stream may well be silent for longer than Bun lets it be by default.
  const server = bun.serve({
    hostname: address,
    port,
    idleTimeout: 0,
    fetch: respond,
    error: failed,
  });
  return Promise.resolve({ port: server.port, finish: () => server.stop(false) });
}

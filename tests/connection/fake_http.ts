import type { JsonObject } from "../../src/model/json.ts";

/** One request that a fake server got. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly message: JsonObject;
  readonly body: string;
}

/** What a fake server answers with; `null` for what it does by itself. */
export type Answer = (seen: Seen, server: FakeHttp) => Response | Promise<Response> | null;

/** A legacy Streamable HTTP server in this process, made wrong by the `answer` of each test. */
export interface FakeHttp {
  readonly url: string;
  readonly seen: Seen[];
  /** JSON-RPC methods in the order in which they came. */
  methods(): string[];
  /** The session that is known now. */
  session: string | null;
  close(): Promise<void>;
}

/** Starts a fake server and stops it after the test. */
export async function withFake(
  answer: Answer,
  test: (server: FakeHttp) => Promise<void>,
  options: { session?: boolean } = {},
): Promise<void> {
  const seen: Seen[] = [];
  let sessions = 0;
  const http = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: (): void => {} },
    async (request) => {
      const body = await request.text();
      const message = body === "" ? {} : JSON.parse(body) as JsonObject;
      const url = new URL(request.url);
      const item = {
        method: request.method,
        path: url.pathname,
        headers: request.headers,
        message,
        body,
      };
      seen.push(item);
      const special = await answer(item, fake);
      if (special !== null) return special;
      if (request.method === "GET") return new Response(null, { status: 405 });
      if (request.method === "DELETE") return new Response(null, { status: 200 });
      if (message["id"] === undefined) return new Response(null, { status: 202 });
      if (message["method"] === "server/discover") {
        return new Response("Bad Request: no session", { status: 400 });
      }
      const headers = new Headers();
      if (message["method"] === "initialize" && options.session === true) {
        fake.session = `session-${++sessions}`;
        headers.set("mcp-session-id", fake.session);
      }
      return json(resultFor(message), headers);
    },
  );
  const fake: FakeHttp = {
    url: `http://127.0.0.1:${http.addr.port}/mcp`,
    seen,
    session: null,
    methods: () =>
      seen.filter(({ method }) => method === "POST").map(({ message }) =>
        String(message["method"])
      ),
    close: () => http.shutdown(),
  };
  try {
    await test(fake);
  } finally {
    await fake.close();
  }
}

/** Refuses what comes in another session than the one known now, but for what opens one. */
export function refusingOldSessions(refuse: () => Response): Answer {
  return ({ headers, message, method }, fake) => {
    if (method !== "POST" || message["method"] === "initialize") return null;
    if (message["method"] === "server/discover") return null;
    return headers.get("mcp-session-id") === fake.session ? null : refuse();
  };
}

/** A server's word that it does not know a session. */
export function sessionNotFound(): Response {
  return new Response("Session not found", { status: 404 });
}

/** The ordinary answer to a request. */
export function resultFor(message: JsonObject): JsonObject {
  const { id, method } = message;
  const params = (message["params"] ?? {}) as JsonObject;
  const results: Record<string, JsonObject> = {
    initialize: {
      protocolVersion: params["protocolVersion"] ?? "",
      capabilities: { tools: {} },
      serverInfo: { name: "fake", version: "1" },
    },
    "tools/list": { tools: [{ name: "t", inputSchema: { type: "object" } }] },
    "tools/call": { content: [{ type: "text", text: "ok" }] },
  };
  const result = results[String(method)];
  return result === undefined
    ? { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } }
    : { jsonrpc: "2.0", id, result };
}

/** A JSON answer. */
export function json(value: unknown, headers: HeadersInit = {}, status = 200): Response {
  const all = new Headers(headers);
  all.set("content-type", "application/json");
  return new Response(JSON.stringify(value), { status, headers: all });
}

/** An event stream of these texts, which ends after them. */
export function events(...parts: string[]): Response {
  return new Response(parts.join(""), { headers: { "content-type": "text/event-stream" } });
}

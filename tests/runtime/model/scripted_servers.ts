import type { JsonObject } from "../../../src/model/json.ts";
import { json, sessionNotFound } from "../../connection/fake_http.ts";
import { sessionStream } from "./session_stream.ts";

/**
 * How a server answers: as it should, with HTTP 503, or with HTTP 401. Going down it forgets its
 * sessions, drops their streams and answers what it holds with 503; being locked it forgets nothing.
 */
export type Mode = "up" | "down" | "locked";

/** A call that a server does not answer until it is told to. */
interface Held {
  readonly session: string;
  readonly id: unknown;
  readonly token: string;
  readonly answer: (response: Response) => void;
}

/**
 * A legacy Streamable HTTP server with sessions and a stream for its notifications. The version of
 * its list stands in its tools, its name and the token of the call in its answers.
 */
export class ScriptedServer {
  readonly name: string;
  mode: Mode = "up";
  version = 1;
  /** Notifications sent so far. */
  sent = 0;
  /** What must never happen and did. */
  readonly faults: string[] = [];
  /** Whether an attempt may begin while one that was given up is still on its way out. */
  mayOverlap = false;
  /** Each known session with its stream, once it is open. */
  readonly sessions: Map<string, ReturnType<typeof sessionStream> | null> = new Map();
  /** Sessions and requests that are in the middle of a handshake. */
  readonly #opening = new Set<string>();
  readonly #held = new Set<Held>();
  /** Sessions whose calls were given the time to end. */
  readonly #draining = new Set<string>();
  #counter = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** Tokens of the calls that it holds. */
  held(): readonly string[] {
    return [...this.#held].map(({ token }) => token);
  }

  /** Notes that the calls which it holds now may end, though their connection is given up. */
  drain(): void {
    for (const { session } of this.#held) this.#draining.add(session);
  }

  /** How many of the sessions that only wait for their last calls still do. */
  draining(): number {
    const busy = new Set([...this.#held].map(({ session }) => session));
    return [...this.#draining].filter((session) => busy.has(session)).length;
  }

  /** Sets how it answers from now on. */
  become(mode: Mode): void {
    this.mode = mode;
    if (mode !== "down") return;
    for (const stream of this.sessions.values()) stream?.end();
    this.sessions.clear();
    this.#opening.clear();
    for (const { answer } of this.#held) answer(new Response("down", { status: 503 }));
    this.#held.clear();
  }

  /** Changes its list, and says so on every stream. */
  changeList(): void {
    this.version++;
    for (const stream of this.sessions.values()) {
      if (stream !== null) this.sent++;
      stream?.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
    }
  }

  /** Answers every call that it holds. */
  release(): void {
    for (const { id, token, answer } of this.#held) answer(this.#called(id, token));
    this.#held.clear();
  }

  /** Forgets sessions that nobody listens to, as servers do after a while. */
  expire(): void {
    for (const [session, stream] of this.sessions) if (stream === null) this.#forget(session);
  }

  async handle(request: Request): Promise<Response> {
    const body = await request.text();
    const session = request.headers.get("mcp-session-id");
    if (request.method === "DELETE") this.#forget(session);
    if (this.mode === "down") return new Response("down", { status: 503 });
    if (this.mode === "locked") {
      return new Response("no", { status: 401, headers: { "www-authenticate": "Bearer" } });
    }
    if (request.method === "DELETE") return new Response(null, { status: 200 });
    if (session !== null && !this.sessions.has(session)) return sessionNotFound();
    if (request.method === "GET") return this.#listen(session ?? "");
    const message = JSON.parse(body) as JsonObject;
    if (message["method"] === "initialize") return await this.#shakeHands(message);
    if (session === null) return new Response("Bad Request: no session", { status: 400 });
    return await this.#answer(message, session, request.signal);
  }

  async #shakeHands({ id, params }: JsonObject): Promise<Response> {
    if (this.#opening.size > 0 && !this.mayOverlap) this.faults.push("two handshakes at once");
    const session = `${this.name}-${++this.#counter}`;
    this.#opening.add(session);
    // Another handshake that comes meanwhile is seen.
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (!this.#opening.has(session)) return new Response("down", { status: 503 });
    this.sessions.set(session, null);
    const result = {
      protocolVersion: (params as JsonObject)["protocolVersion"] ?? "",
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: this.name, version: "1" },
    };
    return json({ jsonrpc: "2.0", id, result }, { "mcp-session-id": session });
  }

  #listen(session: string): Response {
    const stream = sessionStream();
    this.sessions.get(session)?.end();
    this.sessions.set(session, stream);
    return stream.response;
  }

  #forget(session: string | null): void {
    this.sessions.get(session ?? "")?.end();
    this.sessions.delete(session ?? "");
    this.#opening.delete(session ?? "");
  }

  async #answer(message: JsonObject, session: string, signal: AbortSignal): Promise<Response> {
    const { id, method } = message;
    const params = (message["params"] ?? {}) as JsonObject;
    if (id === undefined) {
      if (method === "notifications/cancelled") this.#cancel(session, params["requestId"]);
      return new Response(null, { status: 202 });
    }
    switch (method) {
      case "ping":
        return json({ jsonrpc: "2.0", id, result: {} });
      case "tools/list":
        this.#opening.delete(session);
        return json({ jsonrpc: "2.0", id, result: { tools: toolsOf(this.version) } });
      case "tools/call": {
        const token = String((params["arguments"] as JsonObject)["token"]);
        if (!String(params["name"]).startsWith("hang")) return this.#called(id, token);
        return await new Promise((answer) => {
          const held: Held = { session, id, token, answer };
          this.#held.add(held);
          signal.addEventListener("abort", () => {
            this.#held.delete(held);
            answer(new Response(null, { status: 202 }));
          });
        });
      }
    }
    return json({ jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } });
  }

  #called(id: unknown, token: string): Response {
    const text = `${this.name} ${token}`;
    return json({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text }] } });
  }

  #cancel(session: string, id: unknown): void {
    for (const held of this.#held) {
      if (held.session !== session || held.id !== id) continue;
      this.#held.delete(held);
      held.answer(new Response(null, { status: 202 }));
    }
  }
}

/** The tools of a list; `extra` is what the narrower definition leaves out. */
function toolsOf(version: number): readonly JsonObject[] {
  const inputSchema = { type: "object", properties: { token: { type: "string" } } };
  const annotations = { readOnlyHint: true };
  const description = `version ${version}`;
  return [
    { name: "act", description, inputSchema },
    { name: "look", description, inputSchema, annotations },
    { name: "hang-act", description, inputSchema },
    { name: "hang-look", description, inputSchema, annotations },
    { name: "extra", description, inputSchema },
  ];
}

import { type HttpAnswer, HttpConnection } from "./http_connection.ts";

/** A message of the protocol. */
export type Message = Record<string, unknown>;

/** Which era a client speaks. */
export type Era = "legacy" | "modern";

/** Where a client connects to, and as whom. */
export interface HttpClientOptions {
  /** The endpoint, on this machine. */
  readonly url: string;
  /** What to speak: 2025-11-25 with a session, or 2026-07-28 without one. */
  readonly era: Era;
  /** Token that it shows; none by default. */
  readonly token?: string | undefined;
}

/** A request that got an answer other than a result. */
export class AnswerError extends Error {
  override readonly name = "AnswerError";
  /** HTTP status. */
  readonly status: number;

  /** Says what came in place of a result. */
  constructor(status: number, text: string) {
    super(`${status}: ${text}`);
    this.status = status;
  }
}

const ACCEPT = "application/json, text/event-stream";
const INFO = { name: "bench", version: "1.0.0" };
/** Milliseconds after which an idle connection is not used again: servers close theirs after 5 s. */
const KEPT_MS = 3_000;

const VERSIONS = { legacy: "2025-11-25", modern: "2026-07-28" } as const;

/**
 * A client of Streamable HTTP that shares no code with what it measures. It opens as many
 * connections as it has requests under way, and keeps them.
 */
export class HttpClient {
  readonly #port: number;
  readonly #path: string;
  readonly #era: Era;
  readonly #headers: Record<string, string>;
  readonly #idle: { readonly connection: HttpConnection; readonly since: number }[] = [];
  #id = 0;

  private constructor({ url, era, token }: HttpClientOptions) {
    const { port, pathname } = new URL(url);
    this.#port = Number(port);
    this.#path = pathname;
    this.#era = era;
    this.#headers = { "content-type": "application/json", accept: ACCEPT };
    if (token !== undefined) this.#headers["authorization"] = `Bearer ${token}`;
  }

  /** Connects, and shakes hands in the legacy era. */
  static async open(options: HttpClientOptions): Promise<HttpClient> {
    const client = new HttpClient(options);
    if (options.era === "legacy") await client.#shakeHands();
    else client.#headers["mcp-protocol-version"] = VERSIONS.modern;
    return client;
  }

  /** The session that it has; `null` in the modern era. */
  get session(): string | null {
    return this.#headers["mcp-session-id"] ?? null;
  }

  /**
   * Sends a request; gives its result.
   * @throws {AnswerError} When another answer comes.
   */
  async ask(method: string, params: Message = {}): Promise<Message> {
    const id = ++this.#id;
    const answer = await this.#post({ jsonrpc: "2.0", id, method, params: this.#signed(params) });
    const message = messageOf(answer, id);
    const result = message?.["result"];
    if (typeof result === "object" && result !== null) return result as Message;
    throw new AnswerError(answer.status, answer.body.slice(0, 2_000));
  }

  /**
   * Calls a tool that gives its text back; gives the result as received.
   * @throws {AnswerError} When another answer than a result comes.
   */
  async call(name: string, text: string): Promise<Message> {
    return await this.ask("tools/call", { name, arguments: { text } });
  }

  /** Names of the tools on the first page. */
  async tools(): Promise<readonly string[]> {
    const { tools } = await this.ask("tools/list");
    return (tools as readonly Message[]).map(({ name }) => String(name));
  }

  /** Ends its session and its connections. Never rejects. */
  async close(): Promise<void> {
    if (this.session !== null) {
      await this.#send("DELETE", "").catch(() => {});
    }
    for (const { connection } of this.#idle.splice(0)) connection.close();
  }

  async #shakeHands(): Promise<void> {
    const answer = await this.#post({
      jsonrpc: "2.0",
      id: ++this.#id,
      method: "initialize",
      params: { protocolVersion: VERSIONS.legacy, capabilities: {}, clientInfo: INFO },
    });
    const session = answer.headers.get("mcp-session-id");
    if (answer.status !== 200) throw new AnswerError(answer.status, answer.body);
    if (session !== undefined) this.#headers["mcp-session-id"] = session;
    this.#headers["mcp-protocol-version"] = VERSIONS.legacy;
    await this.#post({ jsonrpc: "2.0", method: "notifications/initialized" });
  }

  /** In the modern era each request says who asks. */
  #signed(params: Message): Message {
    if (this.#era === "legacy") return params;
    return {
      ...params,
      _meta: {
        "io.modelcontextprotocol/protocolVersion": VERSIONS.modern,
        "io.modelcontextprotocol/clientInfo": INFO,
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    };
  }

  async #post(message: Message): Promise<HttpAnswer> {
    const more: Record<string, string> = {};
    if (this.#era === "modern") {
      const { name } = message["params"] as { readonly name?: string };
      more["mcp-method"] = String(message["method"]);
      if (name !== undefined) more["mcp-name"] = name;
    }
    return await this.#send("POST", JSON.stringify(message), more);
  }

  async #send(
    method: string,
    body: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<HttpAnswer> {
    const connection = this.#kept() ?? await HttpConnection.open(this.#port);
    const headers = { ...this.#headers, ...more };
    try {
      const answer = await connection.send({ method, path: this.#path, headers, body });
      if (answer.headers.get("connection") === "close") connection.close();
      else this.#idle.push({ connection, since: performance.now() });
      return answer;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** The connection that was used last, unless it has idled for too long: then all have. */
  #kept(): HttpConnection | null {
    const last = this.#idle.pop();
    if (last === undefined) return null;
    if (performance.now() - last.since <= KEPT_MS) return last.connection;
    for (const { connection } of [last, ...this.#idle.splice(0)]) connection.close();
    return null;
  }
}

/** The answer to a request, which stands alone or as an event of a stream. */
function messageOf({ headers, body }: HttpAnswer, id: number): Message | undefined {
  const type = headers.get("content-type") ?? "";
  if (type.startsWith("application/json")) return parsed(body);
  if (!type.startsWith("text/event-stream")) return undefined;
  return body.split(/\r?\n\r?\n/)
    .map((event) =>
      event.split(/\r?\n/).filter((line) => line.startsWith("data:"))
        .map((line) => line.slice(5)).join("\n")
    )
    .filter((data) => data.trim() !== "")
    .map(parsed)
    .find((message) => message?.["id"] === id && message["method"] === undefined);
}

function parsed(text: string): Message | undefined {
  try {
    return JSON.parse(text) as Message;
  } catch {
    return undefined;
  }
}

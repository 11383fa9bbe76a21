import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";

/** A JSON object as it comes from or goes to the client. */
export type Data = Record<string, unknown>;

/** One request as it came in. */
export interface RecordedRequest {
  /** Whether it came to the other origin. */
  readonly foreign: boolean;
  /** HTTP method. */
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Headers, names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** The JSON-RPC message in the body; `null` when there is none. */
  readonly message: Data | null;
}

/** One request and the means to answer it. */
export interface Exchange extends RecordedRequest {
  /** Origin that it came to. */
  readonly origin: string;
  /** The other origin: another port, so another origin. */
  readonly foreignOrigin: string;
  /** Node's own objects, for answers that are no answers. */
  readonly request: IncomingMessage;
  /** Where the answer goes. */
  readonly response: ServerResponse;
}

/** How a trap answers; state lives as long as the trap. */
export type HttpBehaviour = (exchange: Exchange, state: TrapState) => void | Promise<void>;

/** What a trap remembers between requests. */
export interface TrapState {
  /** Session ids given out and not forgotten. */
  readonly sessions: Set<string>;
  /** Free counters, by name. */
  readonly counts: Map<string, number>;
  /** The open GET stream, if one is. */
  stream: ServerResponse | null;
}

/** Adds one to a counter; gives the new number. */
export function count(state: TrapState, name: string): number {
  const next = (state.counts.get(name) ?? 0) + 1;
  state.counts.set(name, next);
  return next;
}

/** Answers with a status and a text. */
export function reply(
  { response }: Exchange,
  status: number,
  body = "",
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "text/plain", ...headers });
  response.end(body);
}

/** Answers with 200 and one JSON document. */
export function replyJson(
  exchange: Exchange,
  document: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const json = { "content-type": "application/json", ...headers };
  reply(exchange, 200, JSON.stringify(document), json);
}

/** One event of an event stream. */
export function event(data: unknown, name = "message"): string {
  return `event: ${name}\ndata: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
}

/** What a server that means well answers to a message; `null` for what needs no answer. */
export function goodAnswer(message: Data | null): Data | null {
  if (message === null || message["id"] === undefined || message["method"] === undefined) {
    return null;
  }
  const envelope = { jsonrpc: "2.0", id: message["id"] };
  const params = (message["params"] ?? {}) as Data;
  switch (message["method"]) {
    case "initialize":
      return {
        ...envelope,
        result: {
          protocolVersion: params["protocolVersion"],
          capabilities: { tools: {} },
          serverInfo: { name: "http-trap", version: "1.0.0" },
        },
      };
    case "ping":
      return { ...envelope, result: {} };
    case "tools/list":
      return { ...envelope, result: { tools: [ECHO] } };
    case "tools/call": {
      const args = (params["arguments"] ?? {}) as Data;
      return { ...envelope, result: { content: [{ type: "text", text: String(args["text"]) }] } };
    }
    default:
      return { ...envelope, error: { code: -32601, message: "Method not found" } };
  }
}

const ECHO = {
  name: "echo",
  description: "Gives its text back",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
};

/** Answers as a server without sessions and without a GET stream does. */
export function replyWell(
  exchange: Exchange,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (exchange.method === "GET") return reply(exchange, 405);
  if (exchange.method === "DELETE") return reply(exchange, 200);
  const answer = goodAnswer(exchange.message);
  if (answer === null) return reply(exchange, 202, "", headers);
  replyJson(exchange, answer, headers);
}

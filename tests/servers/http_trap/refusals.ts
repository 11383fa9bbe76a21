import { type HttpBehaviour, reply, replyWell } from "./exchange.ts";

/** Refuses the GET stream with a status, and answers all else well. */
function withoutStream(status: number): HttpBehaviour {
  return (exchange) => exchange.method === "GET" ? reply(exchange, status) : replyWell(exchange);
}

/** Behaviours that refuse, by name. */
export const refusals: Readonly<Record<string, HttpBehaviour>> = {
  /** Answers everything well; the GET stream is refused with 405. */
  good: (exchange) => replyWell(exchange),

  /** The GET stream is refused with this status. */
  "get-400": withoutStream(400),
  "get-404": withoutStream(404),
  "get-406": withoutStream(406),
  "get-501": withoutStream(501),

  /** 401 to everything, without a word on how to authorise. */
  unauthorized: (exchange) => reply(exchange, 401, "Unauthorized"),

  /** 401 to everything, with the place of the resource's metadata. */
  "unauthorized-described"(exchange): void {
    const metadata = `${exchange.origin}/.well-known/oauth-protected-resource`;
    reply(exchange, 401, "Unauthorized", {
      "www-authenticate": `Bearer realm="trap", resource_metadata="${metadata}"`,
    });
  },

  /** 401 unless the token is `good-token`. */
  "wants-token"(exchange): void {
    if (exchange.headers.authorization === "Bearer good-token") return replyWell(exchange);
    reply(exchange, 401, "Unauthorized", { "www-authenticate": "Bearer" });
  },

  /** 403 to everything. */
  forbidden: (exchange) => reply(exchange, 403, "Not for you"),

  /** 500 to everything. */
  "server-error": (exchange) => reply(exchange, 500, "The database is away"),

  /** Accepts every request and never answers. */
  hanging(): void {},

  /** 400 naming the supported revisions, unless 2025-06-18 was asked for. */
  "version-400"(exchange): void {
    const params = exchange.message?.["params"] as Record<string, unknown> | undefined;
    const asked = params?.["protocolVersion"] ?? "2025-06-18";
    if (asked === "2025-06-18") return replyWell(exchange);
    const error = {
      code: -32602,
      message: "Unsupported protocol version",
      data: { supported: ["2025-06-18"], requested: asked },
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: exchange.message?.["id"] ?? null, error });
    reply(exchange, 400, body, { "content-type": "application/json" });
  },

  /** 400 unless the revision header is there after the handshake, and absent in it. */
  "version-header"(exchange): void {
    const first = exchange.message?.["method"] === "initialize";
    const given = exchange.headers["mcp-protocol-version"] !== undefined;
    if (first === given) return reply(exchange, 400, "Bad mcp-protocol-version header");
    replyWell(exchange);
  },

  /** 404 unless the cookie of the first answer comes back. */
  sticky(exchange): void {
    if (exchange.message?.["method"] === "initialize") {
      return replyWell(exchange, { "set-cookie": "lb=1; Path=/; HttpOnly" });
    }
    if (exchange.headers.cookie?.includes("lb=1") === true) return replyWell(exchange);
    reply(exchange, 404, "Not on this node");
  },
};

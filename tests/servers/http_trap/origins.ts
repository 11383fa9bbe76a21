import { event, goodAnswer, type HttpBehaviour, reply, replyWell } from "./exchange.ts";

/**
 * A server of the transport before Streamable HTTP. `endpoint` is what it tells as the place for
 * messages; a POST to the first URL is refused with `refusal`.
 */
function oldTransport(refusal: number, endpoint: (foreignOrigin: string) => string): HttpBehaviour {
  return (exchange, state) => {
    const { method, path, response } = exchange;
    if (method === "GET") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(event(endpoint(exchange.foreignOrigin), "endpoint"));
      state.stream = response;
      return;
    }
    if (!path.startsWith("/messages")) return reply(exchange, refusal, "No such method here");
    const answer = goodAnswer(exchange.message);
    if (answer !== null) state.stream?.write(event(answer));
    reply(exchange, 202, "Accepted");
  };
}

const HERE = (): string => "/messages?session=1";

/** Behaviours that point elsewhere, by name. */
export const origins: Readonly<Record<string, HttpBehaviour>> = {
  /** Sends every POST to another origin. */
  "redirect-foreign"(exchange): void {
    if (exchange.foreign) return replyWell(exchange);
    reply(exchange, 307, "", { location: `${exchange.foreignOrigin}/mcp` });
  },

  /** Sends every POST to another path of the same origin. */
  "redirect-same"(exchange): void {
    if (exchange.path === "/moved") return replyWell(exchange);
    reply(exchange, 307, "", { location: "/moved" });
  },

  /** Sends every POST to itself, for ever. */
  "redirect-loop": (exchange) => reply(exchange, 307, "", { location: exchange.path }),

  /** Knows the old transport only; the new one is refused with this status. */
  "sse-400": oldTransport(400, HERE),
  "sse-404": oldTransport(404, HERE),
  "sse-405": oldTransport(405, HERE),

  /** The old transport, with the place for messages on another origin. */
  "sse-foreign": oldTransport(405, (foreignOrigin) => `${foreignOrigin}/messages?session=1`),
};

import {
  count,
  event,
  goodAnswer,
  type HttpBehaviour,
  reply,
  replyJson,
  replyWell,
} from "./exchange.ts";

/** Behaviours of streams and sockets, by name. */
export const streams: Readonly<Record<string, HttpBehaviour>> = {
  /** Answers each POST with an event stream. */
  streaming(exchange): void {
    const answer = goodAnswer(exchange.message);
    if (exchange.method !== "POST" || answer === null) return replyWell(exchange);
    exchange.response.writeHead(200, { "content-type": "text/event-stream" });
    exchange.response.end(`: a comment\n\n${event(answer)}`);
  },

  /** Accepts each POST with 202 and answers on the GET stream. */
  "answers-on-get"(exchange, state): void {
    if (exchange.method === "GET") {
      exchange.response.writeHead(200, { "content-type": "text/event-stream" });
      exchange.response.flushHeaders();
      state.stream = exchange.response;
      return;
    }
    const answer = goodAnswer(exchange.message);
    if (exchange.message?.["method"] === "initialize") return replyJson(exchange, answer);
    if (answer !== null) state.stream?.write(event(answer));
    reply(exchange, 202);
  },

  /** Ends the GET stream as soon as it is open; counts how often it was opened. */
  "stream-ends"(exchange, state): void {
    if (exchange.method !== "GET") return replyWell(exchange);
    count(state, "streams");
    exchange.response.writeHead(200, { "content-type": "text/event-stream" });
    exchange.response.end();
  },

  /** Does what a call asks for, then drops the connection instead of an answer. */
  "drops-call"(exchange, state): void {
    if (exchange.message?.["method"] !== "tools/call") return replyWell(exchange);
    count(state, "effects");
    exchange.request.socket.destroy();
  },
};

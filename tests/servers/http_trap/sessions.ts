import {
  count,
  type Exchange,
  type HttpBehaviour,
  reply,
  replyWell,
  type TrapState,
} from "./exchange.ts";

/** How a server says that it does not know a session. */
type Loss = (exchange: Exchange) => void;

const LOST_404: Loss = (exchange) => reply(exchange, 404, "Session not found");

const LOST_400: Loss = (exchange) =>
  reply(exchange, 400, "Bad Request: No valid session ID provided");

const LOST_200: Loss = (exchange) =>
  reply(exchange, 200, `data: {"error":"Session not found"}\n\n`, {
    "content-type": "text/event-stream",
  });

/** Keeps sessions; refuses what belongs to none in its own words. */
function withSessions(
  lose: Loss,
  forget: (exchange: Exchange, state: TrapState) => boolean,
): HttpBehaviour {
  return (exchange, state) => {
    const id = exchange.headers["mcp-session-id"];
    if (exchange.message?.["method"] === "initialize") {
      const session = `session-${count(state, "sessions")}`;
      state.sessions.add(session);
      return replyWell(exchange, { "mcp-session-id": session });
    }
    if (typeof id === "string" && forget(exchange, state)) state.sessions.delete(id);
    if (typeof id !== "string" || !state.sessions.has(id)) return lose(exchange);
    if (exchange.method === "DELETE") state.sessions.delete(id);
    replyWell(exchange);
  };
}

/** The first session is forgotten when its first tool is called. */
function firstCall(exchange: Exchange, state: TrapState): boolean {
  return exchange.message?.["method"] === "tools/call" && count(state, "calls") === 1;
}

/** No session outlives its first tool call. */
function everyCall(exchange: Exchange): boolean {
  return exchange.message?.["method"] === "tools/call";
}

/** Behaviours of servers with sessions, by name. */
export const sessions: Readonly<Record<string, HttpBehaviour>> = {
  /** Keeps its sessions. */
  sessions: withSessions(LOST_404, () => false),
  /** Forgets the session at the first call and says so with 404. */
  "lost-404": withSessions(LOST_404, firstCall),
  /** The same with 400 and a text. */
  "lost-400": withSessions(LOST_400, firstCall),
  /** The same with 200 and an event. */
  "lost-200": withSessions(LOST_200, firstCall),
  /** Forgets every session at its first call. */
  "lost-always": withSessions(LOST_404, everyCall),
};

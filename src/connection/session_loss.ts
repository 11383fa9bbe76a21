import { HotplugError } from "../model/errors.ts";
import type { Link } from "./link.ts";

/**
 * The server no longer knows our session. Never leaves this folder: a new session is made and the
 * request sent once more.
 */
export class SessionLostError extends Error {
  /** Always `"SessionLostError"`. */
  override readonly name: string = "SessionLostError";
}

const NAMES_SESSION = /session/i;
const SAYS_MISSING =
  /not found|no valid|not valid|invalid|expired|unknown|missing|terminated|no longer|does(?: not|n't) exist|not exist|not initialized|uninitialized|required/i;

/** Whole messages that speak of the session alone, not of some session of a tool. */
const ONLY_SESSION =
  /^(?:bad request: |error: )?(?:mcp )?(?:session(?: id)? (?:not found|expired|invalid|unknown|terminated)|(?:no valid|invalid|unknown|missing|expired) session(?: id)?(?: provided)?)[.!]?$/i;

/** Tells whether an HTTP answer to a request that carried a session id means that it is gone. */
export function isSessionLost(status: number, body: string): boolean {
  if (status === 404) return true;
  const start = body.slice(0, 2000);
  return status === 400 && NAMES_SESSION.test(start) && SAYS_MISSING.test(start);
}

/** Tells whether the error message of an answer means that our session is gone. */
export function saysSessionLost(message: string): boolean {
  return ONLY_SESSION.test(message.trim());
}

/** Tells whether a request over this link failed since the server knows its session no more. */
export function isLostSession(thrown: unknown, link: Link): boolean {
  if (thrown instanceof SessionLostError) return true;
  return link.wire.sessionId !== undefined && thrown instanceof HotplugError &&
    thrown.code === "protocol-error" && saysSessionLost(String(thrown.details["message"] ?? ""));
}

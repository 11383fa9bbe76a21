import type { HostFrame } from "../host_frames.ts";
import { LEGACY_VERSIONS, MODERN_VERSIONS } from "../protocol_versions.ts";
import { INVALID_REQUEST } from "../rpc.ts";
import type { NotAdmitted } from "./admission.ts";
import { type Refusal, REFUSED, SESSION_NOT_FOUND } from "./http_answers.ts";

/** A refusal by HTTP's own rules. */
export function refusal(status: number, message: string): Refusal {
  return { status, code: REFUSED, message };
}

/** A message that is none. */
export function invalid({ id, code, message }: HostFrame & { readonly kind: "invalid" }): Refusal {
  return { status: 400, code, message, ...(id === null ? {} : { id }) };
}

/** A revision in a header that no session speaks. */
export function unsupported(version: string): Refusal {
  const known = [...MODERN_VERSIONS, ...LEGACY_VERSIONS].join(", ");
  return refusal(
    400,
    `Bad Request: Unsupported protocol version ${
      JSON.stringify(version.slice(0, 100))
    } (supported: ${known})`,
  );
}

/** A body that only unpacking would show; what it is then may be of any length. */
export const COMPRESSED: Refusal = {
  ...refusal(415, "Unsupported media type: the body must not be compressed"),
  headers: { "accept-encoding": "identity" },
};

/** A body without a message. */
export const NO_MESSAGE: Refusal = {
  status: 400,
  code: INVALID_REQUEST,
  message: "Invalid request: there is no message",
};

/** An array with a message of the modern era. */
export const MODERN_BATCH: Refusal = {
  status: 400,
  code: INVALID_REQUEST,
  message: "Invalid request: revisions from 2026-07-28 on have one message in a body",
};

/** An opening request among others. */
export const MORE_THAN_INITIALIZE: Refusal = {
  status: 400,
  code: INVALID_REQUEST,
  message: 'Invalid request: "initialize" stands alone',
};

/** An opening request in a session. */
export const ALREADY_OPEN: Refusal = {
  status: 400,
  code: INVALID_REQUEST,
  message: "Invalid request: the session is open already",
};

/** Two requests that could not be told apart. */
export const SAME_ID: Refusal = {
  status: 400,
  code: INVALID_REQUEST,
  message: "Invalid request: another request of this id has no answer yet",
};

/** A POST whose client takes less than it must. */
export const NOT_ACCEPTABLE: Refusal = refusal(
  406,
  "Not acceptable: the client must take application/json and text/event-stream",
);

/** A GET whose client takes no events. */
export const NO_EVENTS: Refusal = refusal(
  406,
  "Not acceptable: the client must take text/event-stream",
);

/** A request that names no session and opens none. */
export const NO_SESSION_ID: Refusal = refusal(
  400,
  "Bad Request: Mcp-Session-Id header is required",
);

/** A session that is not there, or somebody else's. */
export const NO_SESSION: Refusal = {
  status: 404,
  code: SESSION_NOT_FOUND,
  message: "Session not found",
};

/** A session too many, while all others are in use. */
export const TOO_MANY_SESSIONS: Refusal = {
  ...refusal(503, "Too many sessions are in use"),
  headers: { "retry-after": "10" },
};

/** Anything new, once the gateway is ending. */
export const DRAINING: Refusal = {
  ...refusal(503, "The gateway is ending"),
  headers: { "retry-after": "5", connection: "close" },
};

/** A request too many. */
export const NOT_ADMITTED: Readonly<Record<NotAdmitted, Refusal>> = {
  "of-one": {
    ...refusal(429, "You have too many requests running"),
    headers: { "retry-after": "1" },
  },
  "in-all": { ...refusal(503, "Too many requests are running"), headers: { "retry-after": "1" } },
};

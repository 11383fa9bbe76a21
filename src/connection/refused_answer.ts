import { isSessionLost } from "./session_loss.ts";

/** An answer whose status is no success, and what it answers. */
export interface RefusedAnswer {
  /** Its status. */
  readonly status: number;
  /** The start of its body. */
  readonly body: string;
  /** HTTP method of the request. */
  readonly method: string;
  /** Which transport asked. */
  readonly kind: "streamable_http" | "sse";
  /** Whether the request named a session. */
  readonly hadSession: boolean;
}

/**
 * What an answer without success means.
 * - `no-access`: a login or other credentials are needed
 * - `no-stream`: this server opens no stream that a client asks for
 * - `lost-session`: it no longer knows our session
 * - `failure`: the request has failed; the transport would not say how
 * - `other`: the transport knows what to do
 */
export type Refusal = "no-access" | "no-stream" | "lost-session" | "failure" | "other";

/** Tells what an answer without success means. */
export function refusalOf(answer: RefusedAnswer): Refusal {
  const { status, body, method, kind, hadSession } = answer;
  if (status === 401 || status === 403) return "no-access";
  if (method === "GET" && kind === "streamable_http") {
    return status >= 500 && status !== 501 ? "other" : "no-stream";
  }
  if (method !== "POST") return "other";
  if (hadSession && isSessionLost(status, body)) return "lost-session";
  return kind === "sse" ? "failure" : "other";
}

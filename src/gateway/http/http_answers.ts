import type { FrameId } from "../../connection/frames.ts";
import type { JsonValue } from "../../model/json.ts";
import type { HttpAnswer } from "../../platform/http_listener.ts";

/** Code of what HTTP itself refuses, in the range that JSON-RPC leaves to servers. */
export const REFUSED = -32000;
/** Code of a session that is not there. */
export const SESSION_NOT_FOUND = -32001;
/** 2026-07-28's code of headers that say something else than the body. */
export const HEADER_MISMATCH = -32020;
/** 2026-07-28's code of a request that needs what its host cannot do. */
export const MISSING_CAPABILITY = -32021;

/** Why a request is refused before a conversation sees it. */
export interface Refusal {
  /** HTTP's status code. */
  readonly status: number;
  /** JSON-RPC's code. */
  readonly code: number;
  /** Why, in words. */
  readonly message: string;
  /** More about it. */
  readonly data?: JsonValue;
  /** Id of the request, when it is known. */
  readonly id?: FrameId;
  /** Headers that belong to the status. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Headers of an answer in JSON. */
export const JSON_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "application/json",
};

/** An answer with JSON that is text already. */
export function jsonAnswer(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = JSON_HEADERS,
): HttpAnswer {
  return { status, headers, body };
}

/** An answer that says no more than its status. */
export function emptyAnswer(
  status: number,
  headers: Readonly<Record<string, string>> = {},
): HttpAnswer {
  return { status, headers, body: "" };
}

/** A refusal with the error as JSON-RPC has it. */
export function refusalAnswer({ status, code, message, data, id, headers }: Refusal): HttpAnswer {
  const error = { code, message, ...(data === undefined ? {} : { data }) };
  // What has no id is the error of no request: both eras want it left out then.
  const body = JSON.stringify({ jsonrpc: "2.0", ...(id === undefined ? {} : { id }), error });
  return jsonAnswer(status, body, { ...JSON_HEADERS, ...headers });
}

import type { FrameError, FrameId } from "../connection/frames.ts";
import type { JsonObject, JsonValue } from "../model/json.ts";

/** JSON-RPC's code of a line that is no JSON. */
export const PARSE_ERROR = -32700;
/** JSON-RPC's code of JSON that is no message. */
export const INVALID_REQUEST = -32600;
/** JSON-RPC's code of a method that is not there. */
export const METHOD_NOT_FOUND = -32601;
/** JSON-RPC's code of parameters that cannot be used. */
export const INVALID_PARAMS = -32602;
/** JSON-RPC's code of a failure on this side. */
export const INTERNAL_ERROR = -32603;
/** The legacy era's code of a resource that is not there. */
export const RESOURCE_NOT_FOUND = -32002;
/** 2026-07-28's code of a revision that is not spoken here. */
export const UNSUPPORTED_VERSION = -32022;

/** What a request is answered with: the result or the error, without the envelope of JSON-RPC. */
export type Answer = { readonly result: JsonObject } | { readonly error: FrameError };

/** An error as an answer. */
export function refused(code: number, message: string, data?: JsonValue): Answer {
  return { error: data === undefined ? { code, message } : { code, message, data } };
}

/** The refusal of a method that is not there. */
export function methodNotFound(method: string): Answer {
  return refused(METHOD_NOT_FOUND, `Method not found: ${method.slice(0, 100)}`);
}

/** An answer as the message that carries it; `null` is the id of what cannot be told. */
export function answerMessage(id: FrameId | null, answer: Answer): JsonObject {
  return "error" in answer
    ? { jsonrpc: "2.0", id, error: { ...answer.error } }
    : { jsonrpc: "2.0", id, result: answer.result };
}

/** A notification as the message that carries it. */
export function notificationMessage(method: string, params?: JsonObject): JsonObject {
  return { jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) };
}

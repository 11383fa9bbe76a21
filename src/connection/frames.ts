import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { Progress } from "../model/tool.ts";

/** Id of a JSON-RPC request. */
export type FrameId = string | number;

/** The error of a JSON-RPC answer, made sound. */
export interface FrameError {
  /** Its number; -32603 when the server gave none. A text code stands in `data.code`. */
  readonly code: number;
  /** What went wrong, in the server's words. */
  readonly message: string;
  /** More, as received. */
  readonly data?: JsonValue;
}

/** One incoming message by its kind. */
export type Frame =
  | {
    readonly kind: "request";
    readonly id: FrameId;
    readonly method: string;
    readonly params: JsonObject;
  }
  | { readonly kind: "notification"; readonly method: string; readonly params: JsonObject }
  | { readonly kind: "result"; readonly id: FrameId; readonly result: JsonObject }
  | { readonly kind: "error"; readonly id: FrameId | null; readonly error: FrameError };

/** Code for failures inside the peer, of JSON-RPC 2.0. */
const INTERNAL_ERROR = -32603;

/**
 * Tells what a parsed JSON value is as a protocol message; `null` when it is none. Lenient where
 * the meaning is plain: a missing `jsonrpc`, a `null` id, errors with a text code or that are
 * bare strings, results that are no objects.
 */
export function readFrame(value: unknown): Frame | null {
  if (!isJsonObject(value)) return null;
  const rawId = value["id"];
  const id = typeof rawId === "string" || typeof rawId === "number" ? rawId : null;
  const method = value["method"];
  if (typeof method === "string") {
    if (value["jsonrpc"] !== "2.0" && id === null) return null;
    const given = value["params"];
    const params = isJsonObject(given) ? given : {};
    if (id !== null) return { kind: "request", id, method, params };
    return { kind: "notification", method, params };
  }
  if (value["jsonrpc"] !== "2.0" && id === null) return null;
  const error = value["error"];
  if (error !== undefined && error !== null) {
    return { kind: "error", id, error: readFrameError(error) };
  }
  if (id === null || !Object.hasOwn(value, "result")) return null;
  const result = value["result"];
  if (isJsonObject(result)) return { kind: "result", id, result };
  return { kind: "result", id, result: result === null ? {} : { value: result ?? null } };
}

/** An error object of any shape as a sound one. */
export function readFrameError(error: unknown): FrameError {
  if (!isJsonObject(error)) {
    return {
      code: INTERNAL_ERROR,
      message: typeof error === "string" ? error : JSON.stringify(error) ?? "Unknown error",
    };
  }
  const { code: rawCode, message: rawMessage, data } = error;
  const code = typeof rawCode === "number" && Number.isInteger(rawCode)
    ? rawCode
    : typeof rawCode === "string" && /^-?\d+$/.test(rawCode)
    ? Number(rawCode)
    : INTERNAL_ERROR;
  const message = typeof rawMessage === "string" && rawMessage !== ""
    ? rawMessage
    : typeof rawCode === "string"
    ? rawCode
    : "Unknown error";
  if (code === INTERNAL_ERROR && typeof rawCode === "string") {
    return { code, message, data: { code: rawCode, ...(data === undefined ? {} : { data }) } };
  }
  return data === undefined ? { code, message } : { code, message, data };
}

/**
 * An answer of any shape to the request `id` as a message that a strict reader takes: odd errors
 * made sound, a missing id filled in. `null` when nothing had to be changed.
 */
export function repairedAnswer(value: unknown, id: FrameId | null): JsonObject | null {
  if (!isJsonObject(value) || typeof value["method"] === "string") return null;
  const error = value["error"];
  if (error === undefined || error === null) return null;
  const ownId = value["id"];
  const hasId = typeof ownId === "string" || typeof ownId === "number";
  const sound = isJsonObject(error) && Number.isInteger(error["code"]) &&
    typeof error["message"] === "string";
  if (hasId && sound && value["jsonrpc"] === "2.0") return null;
  const answerId = hasId ? ownId : id;
  return {
    jsonrpc: "2.0",
    ...(answerId === null ? {} : { id: answerId }),
    error: { ...readFrameError(error) },
  };
}

/** The report in the params of a progress notification; what has the wrong type is left out. */
export function readProgress(params: JsonObject): Progress {
  const { progress, total, message } = params;
  return {
    progress: typeof progress === "number" ? progress : 0,
    ...(typeof total === "number" ? { total } : {}),
    ...(typeof message === "string" ? { message } : {}),
  };
}

import type { ErrorInfo } from "../model/errors.ts";
import { errorFromInfo, HotplugError } from "../model/errors.ts";

/** Requests that only look. */
export type LookMethod = "status" | "tools" | "logs";

/** Requests that change a session, one after the other. */
export type SteerMethod = "reload" | "pause" | "resume" | "retry";

/** What a session can be asked for over its control socket. It can not be asked to call a tool. */
export type ControlMethod = LookMethod | SteerMethod;

/** One request, its params not yet looked at. */
export interface ControlRequest {
  /** What its answer is known by. */
  readonly id: string | number;
  /** What is asked for. */
  readonly method: string;
  /** Further words; none when there were none, or they were no object. */
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * What a session says of a request that it has taken up, and again whenever it has to wait for
 * something new: how long its slowest server may still take, in milliseconds.
 */
export interface Accepted {
  /** The request. */
  readonly id: string | number;
  /** Milliseconds from now. */
  readonly slowestMs: number;
}

/** Codes of JSON-RPC, and one of ours for whatever a session says. */
export const RPC = {
  noJson: -32700,
  noRequest: -32600,
  noMethod: -32601,
  badParams: -32602,
  failed: -32000,
} as const;

/** The request in a line; `null` for what is none. */
export function parseRequest(line: string): ControlRequest | null {
  const message = parsedObject(line);
  if (message === null) return null;
  const { id, method, params } = message;
  if (typeof method !== "string" || (typeof id !== "string" && typeof id !== "number")) return null;
  return { id, method, params: isObject(params) ? params : {} };
}

/** A request as a line. */
export function requestLine(
  id: string | number,
  method: ControlMethod,
  params: Readonly<Record<string, unknown>>,
): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

/** The line that tells that a request was taken up. */
export function acceptedLine(accepted: Accepted): string {
  return JSON.stringify({ jsonrpc: "2.0", method: "accepted", params: accepted });
}

/** The line of an answer. */
export function resultLine(id: string | number, result: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result: result ?? null });
}

/** The line of a refusal or a failure. */
export function failureLine(id: string | number | null, error: HotplugError, code: number): string {
  const data = { ...error.toInfo(), details: error.details };
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message: error.message, data } });
}

/** What a session says in one line. */
export type Reply =
  | { readonly kind: "accepted"; readonly slowestMs: number }
  | { readonly kind: "result"; readonly result: unknown }
  | { readonly kind: "failure"; readonly error: HotplugError };

/** What a line says of the request with this id; `null` when it says nothing of it. */
export function parseReply(line: string, id: string | number): Reply | null {
  const message = parsedObject(line);
  if (message === null) return null;
  const { params, error } = message;
  if (message["method"] === "accepted" && isObject(params) && params["id"] === id) {
    const slowestMs = Number(params["slowestMs"]);
    return { kind: "accepted", slowestMs: slowestMs > 0 ? slowestMs : 0 };
  }
  if (isObject(error) && (message["id"] === id || message["id"] === null)) {
    return { kind: "failure", error: failureOf(error) };
  }
  return message["id"] === id ? { kind: "result", result: message["result"] } : null;
}

function failureOf({ data, message }: Readonly<Record<string, unknown>>): HotplugError {
  if (!isObject(data) || typeof data["code"] !== "string") {
    return new HotplugError("internal", String(message));
  }
  const error = errorFromInfo(data as unknown as ErrorInfo);
  const { code, hint } = error;
  return new HotplugError(code, error.message, {
    hint,
    stderr: error.stderr,
    details: isObject(data["details"]) ? data["details"] : {},
  });
}

function parsedObject(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

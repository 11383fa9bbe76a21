import { type Frame, type FrameId, readFrame } from "../connection/frames.ts";
import { isJsonObject, type JsonValue } from "../model/json.ts";
import { INVALID_REQUEST, PARSE_ERROR } from "./rpc.ts";

/** What a host sent that is no message, and what it is told about it. */
export interface InvalidFrame {
  /** Sets it apart from messages. */
  readonly kind: "invalid";
  /** The id, when that much can be told. */
  readonly id: FrameId | null;
  /** JSON-RPC's code. */
  readonly code: number;
  /** Why. */
  readonly message: string;
}

/** What stands on one line of a host. */
export type HostFrame = Frame | InvalidFrame;

/** Most messages in one array. */
const MOST_IN_BATCH = 1_000;

/**
 * The messages of one line: one, or those of an array, which 2025-03-26 allows; each is then
 * answered by itself. What is no message is given as such, for the host to be told. Pure.
 */
export function hostFrames(line: string): readonly HostFrame[] {
  const text = line.trim();
  if (text === "") return [];
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return [invalid(null, PARSE_ERROR, "Parse error: the line is not JSON")];
  }
  return framesIn(value);
}

/** The messages that a JSON value holds, as {@linkcode hostFrames} reads them. Pure. */
export function framesIn(value: JsonValue): readonly HostFrame[] {
  if (!Array.isArray(value)) return [hostFrame(value)];
  if (value.length === 0) return [invalid(null, INVALID_REQUEST, "Invalid request: empty array")];
  if (value.length > MOST_IN_BATCH) {
    return [invalid(null, INVALID_REQUEST, `Invalid request: more than ${MOST_IN_BATCH} messages`)];
  }
  return (value as readonly JsonValue[]).map(hostFrame);
}

function hostFrame(value: JsonValue): HostFrame {
  if (!isJsonObject(value)) return invalid(null, INVALID_REQUEST, "Invalid request: no object");
  const id = value["id"];
  const isId = typeof id === "string" || typeof id === "number";
  if (!isId && id !== undefined && id !== null) {
    return invalid(null, INVALID_REQUEST, "Invalid request: the id is neither text nor number");
  }
  // It was another number where it was written: nobody would know the answer.
  if (typeof id === "number" && !(Math.abs(id) <= Number.MAX_SAFE_INTEGER)) {
    return invalid(null, INVALID_REQUEST, "Invalid request: the id is too large a number");
  }
  return readFrame(value) ??
    invalid(isId ? id : null, INVALID_REQUEST, "Invalid request: not a JSON-RPC 2.0 message");
}

function invalid(id: FrameId | null, code: number, message: string): InvalidFrame {
  return { kind: "invalid", id, code, message };
}

import type { JsonValue } from "../model/json.ts";

/** JSON-RPC's codes for refused requests. */
export const METHOD_NOT_FOUND: number = -32601;
/** A request whose parameters cannot be used. */
export const INVALID_PARAMS: number = -32602;
/** A failure on this side. */
export const INTERNAL_ERROR: number = -32603;

/** The JSON-RPC error that a server's request is answered with. */
export class RequestRefusal extends Error {
  /** Its number. */
  readonly code: number;
  /** More; `undefined` for nothing. */
  readonly data: JsonValue | undefined;

  /** Refuses with this code, message and data, which the server reads. */
  constructor(code: number, message: string, data?: JsonValue) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** The refusal of a request that nobody here answers. */
export function methodNotFound(method: string): RequestRefusal {
  return new RequestRefusal(METHOD_NOT_FOUND, `Method not found: ${method.slice(0, 100)}`);
}

/** Whatever a handler threw, as the error that the server reads: never words of ours. */
export function refusalOf(thrown: unknown): RequestRefusal {
  if (thrown instanceof RequestRefusal) return thrown;
  const { code, data } = (thrown instanceof Error ? thrown : {}) as {
    readonly code?: unknown;
    readonly data?: JsonValue;
  };
  return typeof code === "number" && Number.isInteger(code)
    ? new RequestRefusal(code, (thrown as Error).message, data)
    : new RequestRefusal(INTERNAL_ERROR, "The client could not answer");
}

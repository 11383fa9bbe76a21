import type { MCPServerConnection } from "../model/connection.ts";
import type { ForwardOptions } from "../model/forward.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { ToolInfo } from "../model/listing.ts";
import { callHeaders } from "./calls.ts";
import { withoutSender } from "./envelope.ts";
import { finished, needsVisit } from "./finished_request.ts";
import { unmaskedError } from "./masking.ts";
import type { WireRequestOptions } from "./wire_options.ts";

/** A request in the words of somebody else. */
export interface ForwardedRequest {
  /** Its method. */
  readonly method: string;
  /** Its parameters, see {@linkcode ownWords}. */
  readonly params: JsonObject;
  /** The tool that it calls; `null` when it calls none. */
  readonly tool: ToolInfo | null;
}

/** Params, and what their `_meta` says beyond who sends them. */
export interface OwnWords {
  /** The params without `_meta`. */
  readonly params: JsonObject;
  /** What is given on of it. */
  readonly meta: JsonObject;
}

/**
 * What a request says in its own words: all of its params, and of `_meta` what does not tell of whoever
 * sent it before. Pure.
 */
export function ownWords(given: JsonObject, meta: JsonObject = {}): OwnWords {
  if (given["_meta"] === undefined) return { params: given, meta: withoutSender(meta) };
  const { _meta, ...params } = given;
  const all = isJsonObject(_meta) ? { ..._meta, ...meta } : meta;
  return { params, meta: withoutSender(all) };
}

/**
 * Sends a request for somebody else, in their own words, and gives the result as received.
 * @throws {HotplugError} What {@linkcode MCPServerConnection.request} throws, and with the option
 * `input`: `answer`, `protocol-error` for what was not answered.
 */
export async function forwardRequest(
  connection: MCPServerConnection,
  request: ForwardedRequest,
  { input, ask, ...options }: ForwardOptions,
): Promise<JsonObject> {
  const { method, params, tool } = request;
  const args = params["arguments"];
  const headers = tool === null
    ? null
    : callHeaders(connection, tool, isJsonObject(args) ? args : {});
  const wireOptions: WireRequestOptions = {
    ...options,
    keepsText: true,
    ...(headers === null ? {} : { headers }),
  };
  if (input?.[connection.protocol.era] !== "forward") {
    return await finished(connection, method, params, { ...wireOptions, ask });
  }
  try {
    return await connection.request(method, params, wireOptions);
  } catch (thrown) {
    // With a secret replaced, such as the id of a client, the address of the page leads nowhere.
    throw needsVisit(thrown) ? unmaskedError(thrown) : thrown;
  }
}

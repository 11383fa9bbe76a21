import { HotplugError, isAbortError, toHotplugError } from "../model/errors.ts";
import type { JsonObject, JsonValue } from "../model/json.ts";
import { modelText } from "../tools/model_text.ts";
import { bridgedRequest } from "./bridge/bridged_request.ts";
import type { HostRequest } from "./host_request.ts";
import { modernResult } from "./protocol_versions.ts";
import { type Answer, INTERNAL_ERROR, INVALID_PARAMS, refused, RESOURCE_NOT_FOUND } from "./rpc.ts";

/** Key of `_meta` of a result, and of the data of an error, that says what failed. */
export const ERROR_KEY = "dev.hotplug/error";

/**
 * Sends a request of a host on to a server; gives the result as received, which in the modern era may
 * be what the server asks first.
 * @throws {HotplugError} why there is none.
 */
export async function forwardRequest(
  request: HostRequest,
  server: string,
  method: string,
  params: JsonObject,
): Promise<JsonObject> {
  const { session, signal, meta, logs, notify } = request;
  if (meta.logLevel === null) return await bridgedRequest(request, server, method, params);
  // Servers of the legacy era have one level for all that they write.
  await request.gateway.logLevels.need(session, server, meta.logLevel, signal);
  const end = logs.during(server, meta.logLevel, (line) => notify("notifications/message", line));
  try {
    return await bridgedRequest(request, server, method, params);
  } finally {
    end();
  }
}

/**
 * The parameters of a request as its server gets them: all but `_meta`, which is forwarded in its
 * own way, and `task`, which no server is asked for.
 */
export function forwardedParams({ params }: HostRequest, own: JsonObject): JsonObject {
  const { _meta, task: _, ...rest } = params;
  return { ...rest, ...own };
}

/** A result in the form of the host's era. */
export function forwardedAnswer({ isModern }: HostRequest, result: JsonObject): Answer {
  return { result: isModern ? modernResult(result) : result };
}

/**
 * The error that a server itself answered with, as it came; `null` for any other failure. The modern
 * era calls a resource that is not there a bad parameter.
 */
export function serversOwnError(thrown: unknown, isModern: boolean): Answer | null {
  if (!(thrown instanceof HotplugError) || thrown.code !== "protocol-error") return null;
  const { code, message, data } = thrown.details;
  if (typeof code !== "number" || typeof message !== "string") return null;
  const known = isModern && code === RESOURCE_NOT_FOUND ? INVALID_PARAMS : code;
  return refused(known, message, data === null ? undefined : data as JsonValue);
}

/**
 * What a host is told of a request that came to nothing: the error of its server, or why there is
 * no answer of it.
 * @throws {HotplugError} `aborted`, where the host itself gave up.
 */
export function failedRequest(request: HostRequest, server: string, thrown: unknown): Answer {
  if (request.signal.aborted || isAbortError(thrown)) throw thrown;
  const own = serversOwnError(thrown, request.isModern);
  if (own !== null) return own;
  const { code, message, hint } = toHotplugError(thrown);
  const text = modelText(hint === null ? message : `${message}. ${hint}`);
  return refused(INTERNAL_ERROR, text, { [ERROR_KEY]: { server, code } });
}

import { HotplugError, isAbortError, toHotplugError } from "../model/errors.ts";
import type { JsonObject, JsonValue } from "../model/json.ts";
import type { LoggingLevel } from "../model/log_message.ts";
import { modelText } from "../tools/model_text.ts";
import type { HostRequest } from "./host_request.ts";
import { modernResult } from "./protocol_versions.ts";
import { type Answer, INTERNAL_ERROR, INVALID_PARAMS, refused, RESOURCE_NOT_FOUND } from "./rpc.ts";

/** Key of `_meta` of a result, and of the data of an error, that says what failed. */
export const ERROR_KEY = "dev.hotplug/error";

/**
 * The result of a host's request at the server that it is for, as received. All of its params are
 * given on, `own` in the place of those that the server calls otherwise.
 * @throws {HotplugError} why there is none.
 */
export function forwarded(
  request: HostRequest,
  server: string,
  own: JsonObject,
): Promise<JsonObject> {
  // These are for the gateway, or given on in its own way. No server is asked for a task, as no host is
  // told that there are some.
  const { _meta, inputResponses: _answers, requestState: _state, task: _task, ...rest } =
    request.params;
  const given = { ...rest, ...own };
  const { logLevel } = request.meta;
  if (logLevel === null) return request.forward(server, given);
  return forwardedWithLog(request, server, given, logLevel);
}

/** The same of a request whose host wants to know what the server writes to its log meanwhile. */
async function forwardedWithLog(
  { gateway, session, signal, logs, notify, forward }: HostRequest,
  server: string,
  given: JsonObject,
  logLevel: LoggingLevel,
): Promise<JsonObject> {
  // Servers of the legacy era have one level for all that they write.
  await gateway.logLevels.need(session, server, logLevel, signal);
  const end = logs.during(server, logLevel, (line) => notify("notifications/message", line));
  try {
    return await forward(server, given);
  } finally {
    end();
  }
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

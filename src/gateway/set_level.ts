import { loggingLevel } from "../model/log_message.ts";
import type { OpeningRequest } from "./host_request.ts";
import { type Answer, INVALID_PARAMS, methodNotFound, refused } from "./rpc.ts";

/** `logging/setLevel`: how grave log lines must be for a host of the legacy era. Opens no session. */
export async function setLevel(request: OpeningRequest): Promise<Answer> {
  const { method, params, isModern, host, gateway } = request;
  if (isModern) return methodNotFound(method);
  const level = loggingLevel(params["level"]);
  if (level === null) return refused(INVALID_PARAMS, 'Invalid params: "level" is no log level');
  host.logLevel = level;
  await gateway.logLevels.set(host, level);
  return { result: {} };
}

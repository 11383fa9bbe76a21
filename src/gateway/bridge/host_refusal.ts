import {
  INVALID_PARAMS,
  methodNotFound,
  RequestRefusal,
} from "../../connection/request_refusal.ts";
import { isJsonObject, type JsonObject } from "../../model/json.ts";

/** Methods by which servers ask hosts, of either era. */
export const QUESTIONS: ReadonlySet<string> = new Set([
  "elicitation/create",
  "sampling/createMessage",
  "roots/list",
]);

/**
 * Why a host is not asked for something that it has not declared, as the server reads it; `null` when
 * it is. Pure.
 */
export function hostRefusal(
  capabilities: JsonObject,
  method: string,
  params: JsonObject,
): RequestRefusal | null {
  switch (method) {
    case "elicitation/create":
      return elicitationRefusal(capabilities["elicitation"], params);
    case "sampling/createMessage":
      return samplingRefusal(capabilities["sampling"], params);
    case "roots/list":
      return isJsonObject(capabilities["roots"]) ? null : methodNotFound(method);
    default:
      return methodNotFound(method);
  }
}

function elicitationRefusal(declared: unknown, params: JsonObject): RequestRefusal | null {
  if (!isJsonObject(declared)) return methodNotFound("elicitation/create");
  const mode = params["mode"] === "url" ? "url" : "form";
  // Before there were modes, a host that declared nothing more had forms.
  const takes = isJsonObject(declared[mode]) ||
    (mode === "form" && declared["url"] === undefined);
  return takes
    ? null
    : new RequestRefusal(INVALID_PARAMS, `The client does not elicit in ${mode} mode`);
}

function samplingRefusal(declared: unknown, params: JsonObject): RequestRefusal | null {
  if (!isJsonObject(declared)) return methodNotFound("sampling/createMessage");
  const wantsTools = params["tools"] !== undefined || params["toolChoice"] !== undefined;
  return wantsTools && !isJsonObject(declared["tools"])
    ? new RequestRefusal(INVALID_PARAMS, "The client does not sample with tools")
    : null;
}

import { isJsonObject, type JsonObject } from "../../model/json.ts";

/**
 * The params of a server's request as a host gets them: without the name for its progress, which has
 * no way back and may be the name of something else at the host. Pure.
 */
export function relayedQuestion(params: JsonObject): JsonObject {
  const { _meta } = params;
  if (!isJsonObject(_meta) || _meta["progressToken"] === undefined) return params;
  const { _meta: _, ...rest } = params;
  const { progressToken: __, ...meta } = _meta;
  return Object.keys(meta).length === 0 ? rest : { ...rest, _meta: meta };
}

/**
 * A server's request of the legacy era as one that stands in a result of the modern one: without the
 * name by which the end of a page's business is told, which that does not have. Pure.
 */
export function inputRequest(method: string, params: JsonObject): JsonObject {
  const { elicitationId: _, ...kept } = relayedQuestion(params);
  return Object.keys(kept).length === 0 ? { method } : { method, params: kept };
}

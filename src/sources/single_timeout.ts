import type { JsonObject } from "../model/json.ts";

/**
 * A written entry of a host that has one `timeout` for the start and for every call: the longer of
 * the two limits, in place of both.
 */
export function withSingleTimeout(raw: JsonObject): JsonObject {
  const { startupTimeout, callTimeout, ...rest } = raw;
  const limits = [startupTimeout, callTimeout].filter((limit) => typeof limit === "number");
  return limits.length === 0 ? rest : { ...rest, timeout: Math.max(...limits) };
}

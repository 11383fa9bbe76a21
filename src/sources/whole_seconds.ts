import type { JsonObject } from "../model/json.ts";

/** A written entry whose limits, in seconds, are rounded up, for hosts that refuse fractions. */
export function withWholeSeconds(raw: JsonObject, keys: readonly string[]): JsonObject {
  const rounded = keys.flatMap((key) => {
    const seconds = raw[key];
    return typeof seconds === "number" ? [[key, Math.ceil(seconds)] as const] : [];
  });
  return { ...raw, ...Object.fromEntries(rounded) };
}

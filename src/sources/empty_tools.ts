import type { JsonObject } from "../model/json.ts";

/** An entry of a host for which an empty list of tools offers all of them, as no list does. */
export function withoutEmptyTools(entry: JsonObject, key: string): JsonObject {
  const { [key]: tools, ...rest } = entry;
  return Array.isArray(tools) && tools.length === 0 ? rest : entry;
}

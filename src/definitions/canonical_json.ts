import type { JsonValue } from "../model/json.ts";

/**
 * One text for one value, whatever the order of its keys: keys sorted by UTF-16 units, no white
 * space, `undefined` properties left out. Meant for digests; values must be less than some
 * thousand levels deep.
 */
export function canonicalJson(value: JsonValue): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const parts: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const item = value[key];
    if (item !== undefined) parts.push(`${JSON.stringify(key)}:${canonicalJson(item)}`);
  }
  return `{${parts.join(",")}}`;
}

/** `Array.isArray` for readonly arrays. */
function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

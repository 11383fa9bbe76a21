import type { JsonObject, JsonValue } from "../model/json.ts";
import { isJsonObject } from "../model/json.ts";

/**
 * How deep schemas are followed. The deepest of 515 tools of 31 real servers has 21 levels; the
 * bound keeps a made-up one from exhausting the stack.
 */
export const MAX_SCHEMA_DEPTH = 100;

/** Keywords whose value is one schema (`items` also takes a list of them). */
const SINGLE: ReadonlySet<string> = new Set([
  "additionalItems",
  "additionalProperties",
  "contains",
  "contentSchema",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
]);

/** Keywords whose value is a list of schemas. */
const LISTS: ReadonlySet<string> = new Set(["allOf", "anyOf", "items", "oneOf", "prefixItems"]);

/** Keywords whose value maps names of the server's choice to schemas. */
const NAMED: ReadonlySet<string> = new Set([
  "$defs",
  "definitions",
  "dependencies",
  "dependentSchemas",
  "patternProperties",
  "properties",
]);

/**
 * Rebuilds a schema with every schema object in it changed, outer ones first. Values that are not
 * schemas (constants, defaults, names) are never looked into. What lies deeper than
 * {@linkcode MAX_SCHEMA_DEPTH} becomes the schema that takes anything. Where nothing changes the
 * same objects come back.
 */
export function mapSchema(
  schema: JsonObject,
  change: (schema: JsonObject) => JsonObject,
  depth = 0,
): JsonObject {
  if (depth > MAX_SCHEMA_DEPTH) return {};
  return mapChildren(change(schema), (child) => mapSchema(child, change, depth + 1));
}

/** The schema with each schema directly inside it replaced; the same object when none changed. */
export function mapChildren(
  schema: JsonObject,
  change: (child: JsonObject) => JsonObject,
): JsonObject {
  const below = (child: JsonValue | undefined): JsonValue | undefined =>
    isJsonObject(child) ? change(child) : child;
  return mapEntries(schema, (key, value) => {
    if (isJsonObject(value)) {
      if (NAMED.has(key)) return mapEntries(value, (_, child) => below(child));
      return SINGLE.has(key) ? below(value) : value;
    }
    if (!Array.isArray(value) || !LISTS.has(key)) return value;
    const items = value.map((item) => below(item) ?? null);
    return items.every((item, index) => item === value[index]) ? value : items;
  });
}

/** The object with each value replaced; the same object when none changed. */
function mapEntries(
  object: JsonObject,
  change: (key: string, value: JsonValue | undefined) => JsonValue | undefined,
): JsonObject {
  let differs = false;
  const entries = Object.entries(object).map(([key, value]) => {
    const next = change(key, value);
    differs ||= next !== value;
    return [key, next] as const;
  });
  // fromEntries defines `__proto__` as data, where an assignment would set the prototype.
  return differs ? Object.fromEntries(entries) : object;
}

/** The schema without some keywords; the same object when it has none of them. */
export function withoutKeywords(schema: JsonObject, ...keywords: readonly string[]): JsonObject {
  if (!keywords.some((keyword) => Object.hasOwn(schema, keyword))) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keywords.includes(key)));
}

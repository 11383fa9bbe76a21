import type { JsonObject, JsonValue } from "../model/json.ts";
import { isJsonObject } from "../model/json.ts";
import { mapSchema } from "./schema_tree.ts";

/** Names of types, and what servers write instead of them. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ["array", "array"],
  ["bool", "boolean"],
  ["boolean", "boolean"],
  ["dict", "object"],
  ["double", "number"],
  ["float", "number"],
  ["int", "integer"],
  ["integer", "integer"],
  ["list", "array"],
  ["null", "null"],
  ["number", "number"],
  ["object", "object"],
  ["str", "string"],
  ["string", "string"],
]);

/** Keywords about the document, not about the arguments: no vendor needs them, some reject them. */
const DOCUMENT_KEYWORDS: ReadonlySet<string> = new Set([
  "$anchor",
  "$comment",
  "$dynamicAnchor",
  "$id",
  "$schema",
  "$vocabulary",
]);

/** Gives a keyword's value as draft 2020-12 allows it, or `undefined` when it must go. */
type Repair = (value: JsonValue) => JsonValue | undefined;

const REPAIRS: ReadonlyMap<string, Repair> = new Map<string, Repair>([
  ["$ref", text],
  ["additionalProperties", schemaOrBoolean],
  ["allOf", schemaList],
  ["anyOf", schemaList],
  ["contains", schemaOrBoolean],
  ["$defs", namedSchemas],
  ["definitions", namedSchemas],
  ["deprecated", flag],
  ["description", text],
  ["else", schemaOrBoolean],
  ["enum", (value) => Array.isArray(value) && value.length > 0 ? value : undefined],
  ["examples", (value) => Array.isArray(value) ? value : undefined],
  ["exclusiveMaximum", number],
  ["exclusiveMinimum", number],
  ["format", text],
  ["if", schemaOrBoolean],
  ["items", schemaOrBoolean],
  ["maxItems", count],
  ["maxLength", count],
  ["maxProperties", count],
  ["maximum", number],
  ["minItems", count],
  ["minLength", count],
  ["minProperties", count],
  ["minimum", number],
  ["multipleOf", (value) => typeof value === "number" && value > 0 ? value : undefined],
  ["not", schemaOrBoolean],
  ["oneOf", schemaList],
  ["pattern", (value) => typeof value === "string" && isPattern(value) ? value : undefined],
  ["patternProperties", namedSchemas],
  ["prefixItems", schemaList],
  ["properties", namedSchemas],
  ["propertyNames", schemaOrBoolean],
  ["readOnly", flag],
  ["required", names],
  ["then", schemaOrBoolean],
  ["title", text],
  ["type", types],
  ["uniqueItems", flag],
  ["writeOnly", flag],
]);

/**
 * A schema with every keyword in a form that JSON Schema 2020-12 allows, which vendors check before
 * they look at anything else: one bad keyword of one tool and the whole request is refused. Older
 * drafts are brought up to date; what cannot be saved is left out.
 * @returns The schema and the keywords that had to be changed, in order of appearance.
 */
export function repairSchema(
  schema: JsonObject,
): { readonly schema: JsonObject; readonly changed: readonly string[] } {
  const changed = new Set<string>();
  const repaired = mapSchema(schema, (node) => repairNode(node, changed));
  return { schema: repaired, changed: [...changed] };
}

function repairNode(node: JsonObject, changed: Set<string>): JsonObject {
  const entries: [string, JsonValue][] = [];
  for (const [key, value] of Object.entries(upToDate(node))) {
    if (DOCUMENT_KEYWORDS.has(key) || value === undefined) continue;
    const next = REPAIRS.has(key) ? REPAIRS.get(key)?.(value) : value;
    if (next !== value) changed.add(key);
    if (next !== undefined) entries.push([key, next]);
  }
  return Object.fromEntries(entries);
}

/** Tuples and exclusive bounds as draft 2020-12 writes them. */
function upToDate(node: JsonObject): JsonObject {
  const next: Record<string, JsonValue | undefined> = Object.fromEntries(Object.entries(node));
  if (Array.isArray(node["items"])) {
    next["prefixItems"] = node["prefixItems"] ?? node["items"];
    next["items"] = node["additionalItems"];
    next["additionalItems"] = undefined;
  }
  for (
    const [exclusive, bound] of [["exclusiveMinimum", "minimum"], ["exclusiveMaximum", "maximum"]]
  ) {
    if (exclusive === undefined || bound === undefined) continue;
    if (typeof node[exclusive] !== "boolean") continue;
    next[exclusive] = node[exclusive] ? node[bound] : undefined;
    if (node[exclusive]) next[bound] = undefined;
  }
  return next;
}

function isSchema(value: JsonValue | undefined): boolean {
  return isJsonObject(value) || typeof value === "boolean";
}

function schemaOrBoolean(value: JsonValue): JsonValue | undefined {
  return isSchema(value) ? value : undefined;
}

function schemaList(value: JsonValue): JsonValue | undefined {
  if (!Array.isArray(value)) return undefined;
  const schemas = value.filter(isSchema);
  if (schemas.length === 0) return undefined;
  return schemas.length === value.length ? value : schemas;
}

function namedSchemas(value: JsonValue): JsonValue | undefined {
  if (!isJsonObject(value)) return undefined;
  const entries = Object.entries(value);
  const kept = entries.filter(([, schema]) => isSchema(schema));
  return kept.length === entries.length ? value : Object.fromEntries(kept);
}

function names(value: JsonValue): JsonValue | undefined {
  if (!Array.isArray(value)) return undefined;
  const unique = [...new Set(value.filter((name) => typeof name === "string"))];
  return unique.length === value.length ? value : unique;
}

function types(value: JsonValue): JsonValue | undefined {
  if (!Array.isArray(value)) {
    return typeof value === "string" ? TYPES.get(value.toLowerCase()) : undefined;
  }
  const known = value.map((name) =>
    typeof name === "string" ? TYPES.get(name.toLowerCase()) : null
  );
  const unique = [...new Set(known.filter((name) => typeof name === "string"))];
  if (unique.length < 2) return unique[0];
  const same = unique.length === value.length &&
    unique.every((name, index) => name === value[index]);
  return same ? value : unique;
}

function text(value: JsonValue): JsonValue | undefined {
  return typeof value === "string" ? value : undefined;
}

function flag(value: JsonValue): JsonValue | undefined {
  return typeof value === "boolean" ? value : undefined;
}

function number(value: JsonValue): JsonValue | undefined {
  return typeof value === "number" ? value : undefined;
}

function count(value: JsonValue): JsonValue | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
}

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}

import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";

/** A type of JSON Schema. */
export type SchemaType = "null" | "boolean" | "integer" | "number" | "array" | "object" | "string";

/**
 * The order in which a text is tried as each of several types: the narrowest first, since any
 * text is a string.
 */
const ORDER: readonly SchemaType[] = [
  "null",
  "boolean",
  "integer",
  "number",
  "array",
  "object",
  "string",
];

/** How deep references and unions are followed: more than any sane schema nests. */
const MAX_DEPTH = 8;

/**
 * The schema of one parameter: `{}` for one that is not described but allowed, `null` for one that
 * the tool does not take.
 */
export function propertySchema(schema: JsonObject, key: string): JsonObject | null {
  const properties = schema["properties"];
  if (isJsonObject(properties) && Object.hasOwn(properties, key)) {
    const property = properties[key];
    return isJsonObject(property) ? property : {};
  }
  const more = schema["additionalProperties"];
  if (isJsonObject(more)) return more;
  // Without a word on it more keys are allowed; a tool that lists its own rarely means that.
  const described = isJsonObject(properties) && Object.keys(properties).length > 0;
  return more === false || (more !== true && described) ? null : {};
}

/**
 * The types that a parameter may have, narrowest first; empty when its schema does not say. Local
 * references and unions are followed.
 */
export function candidateTypes(schema: JsonObject, root: JsonObject): readonly SchemaType[] {
  const found = new Set<SchemaType>();
  collect(schema, root, found, 0);
  return ORDER.filter((type) => found.has(type));
}

/** Adds the types of a schema and of what it refers to. */
function collect(
  schema: JsonObject,
  root: JsonObject,
  found: Set<SchemaType>,
  depth: number,
): void {
  if (depth > MAX_DEPTH) return;
  const type = schema["type"];
  const named = Array.isArray(type) ? type : [type];
  for (const name of named) {
    const known = ORDER.find((candidate) => candidate === name);
    if (known !== undefined) found.add(known);
  }
  if (type === undefined) {
    const constants = Array.isArray(schema["enum"]) ? schema["enum"] : [schema["const"]];
    for (const constant of constants) {
      const known = typeOf(constant);
      if (known !== null) found.add(known);
    }
  }
  const target = schema["$ref"];
  const referred = typeof target === "string" ? localReference(target, root) : null;
  if (referred !== null) collect(referred, root, found, depth + 1);
  for (const key of ["anyOf", "oneOf", "allOf"]) {
    const parts = schema[key];
    if (!Array.isArray(parts)) continue;
    for (const part of parts) if (isJsonObject(part)) collect(part, root, found, depth + 1);
  }
}

/** The type of a value. */
function typeOf(value: JsonValue | undefined): SchemaType | null {
  if (value === undefined) return null;
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const name = typeof value;
  return name === "string" || name === "number" || name === "boolean" ? name : "object";
}

/** What a reference such as `#/$defs/Item` names within a schema. */
function localReference(reference: string, root: JsonObject): JsonObject | null {
  if (!reference.startsWith("#/")) return null;
  let current: JsonValue | undefined = root;
  for (const part of reference.slice(2).split("/")) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isJsonObject(current) || !Object.hasOwn(current, key)) return null;
    current = current[key];
  }
  return isJsonObject(current) ? current : null;
}

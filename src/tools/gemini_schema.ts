import type { JsonObject, JsonValue } from "../model/json.ts";
import { isJsonObject } from "../model/json.ts";

/** Keywords that Gemini's subset of OpenAPI 3.0 takes over as they are. */
const KEPT: readonly string[] = [
  "default",
  "description",
  "maxItems",
  "maxLength",
  "maxProperties",
  "maximum",
  "minItems",
  "minLength",
  "minProperties",
  "minimum",
  "nullable",
  "pattern",
  "title",
];

/** Formats that Gemini knows; it refuses others. */
const FORMATS: ReadonlyMap<string, readonly string[]> = new Map([
  ["integer", ["int32", "int64"]],
  ["number", ["double", "float"]],
  ["string", ["date-time", "enum"]],
]);

type Draft = Record<string, JsonValue | undefined>;

/**
 * A schema without references in the subset of OpenAPI 3.0 that Gemini takes: one type a schema,
 * `nullable` for null, `anyOf` as the only alternative, enumerations of strings. What the subset
 * cannot say is left to the server's own check of the arguments.
 */
export function geminiSchema(schema: JsonObject): JsonObject {
  const node = withoutNull(merged(schema));
  const type = typeOf(node);
  const result: Draft = {};
  for (const keyword of KEPT) {
    if (node[keyword] !== undefined) result[keyword] = node[keyword];
  }
  if (typeof type !== "string") {
    result["anyOf"] = type.map((name) => geminiSchema({ ...shapeOf(node, name), type: name }));
    return result;
  }
  const branches = schemasOf(node["anyOf"] ?? node["oneOf"]);
  if (branches.length > 0) {
    result["anyOf"] = branches.map(geminiSchema);
    return result;
  }
  result["type"] = type;
  const format = node["format"];
  if (typeof format === "string" && FORMATS.get(type)?.includes(format) === true) {
    result["format"] = format;
  }
  addEnumeration(result, node, type);
  if (type === "array") result["items"] = itemsOf(node);
  if (type === "object") addProperties(result, node);
  return result;
}

/** The schema with its `allOf` laid into it. */
function merged(schema: JsonObject): JsonObject {
  const parts = schemasOf(schema["allOf"]).map(merged);
  if (parts.length === 0) return schema;
  return [...parts, schema].reduce<Draft>((whole, part) => ({
    ...whole,
    ...part,
    properties: { ...objectOf(whole["properties"]), ...objectOf(part["properties"]) },
    required: [...listOf(whole["required"]), ...listOf(part["required"])],
    allOf: undefined,
  }), {});
}

/** The schema with null as a property of its own, and a single alternative laid into it. */
function withoutNull(schema: JsonObject): JsonObject {
  let node: Draft = Object.fromEntries(Object.entries(schema));
  const { type } = node;
  if (Array.isArray(type) && type.includes("null")) {
    const rest = type.filter((name) => name !== "null");
    node = { ...node, type: rest.length === 1 ? rest[0] : rest, nullable: true };
  }
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = schemasOf(node[keyword]);
    const rest = branches.filter((branch) => branch["type"] !== "null");
    if (rest.length < branches.length) node["nullable"] = true;
    const only = rest[0];
    if (branches.length > 0) node[keyword] = rest.length > 1 ? rest : undefined;
    if (rest.length === 1 && only !== undefined) {
      node = { ...withoutNull(merged(only)), ...defined(node) };
    }
  }
  return node;
}

/** The one type, or several; what is not said is guessed from the other keywords. */
function typeOf(node: JsonObject): string | readonly string[] {
  const type = node["type"];
  if (typeof type === "string" && type !== "null") return type;
  if (Array.isArray(type) && type.length > 0) {
    return type.filter((name) => typeof name === "string");
  }
  if (isJsonObject(node["properties"])) return "object";
  if (node["items"] !== undefined || node["prefixItems"] !== undefined) return "array";
  const sample = node["const"] ?? listOf(node["enum"])[0];
  if (typeof sample === "number") return Number.isInteger(sample) ? "integer" : "number";
  return typeof sample === "boolean" ? "boolean" : "string";
}

/** The keywords that say something about one of several types. */
function shapeOf(node: JsonObject, type: string): JsonObject {
  if (type === "array") return { items: node["items"], prefixItems: node["prefixItems"] };
  if (type === "object") return { properties: node["properties"], required: node["required"] };
  return type === "string"
    ? { enum: listOf(node["enum"]).filter((v) => typeof v === "string") }
    : {};
}

/** Only strings can be enumerated; other values are told in the description. */
function addEnumeration(result: Draft, node: JsonObject, type: string): void {
  const values = node["const"] === undefined ? listOf(node["enum"]) : [node["const"]];
  const given = values.filter((value) => value !== null);
  if (given.length < values.length) result["nullable"] = true;
  if (given.length === 0) return;
  if (type === "string") {
    // An empty string is refused in an enumeration.
    const strings = given.filter((value) => typeof value === "string" && value !== "");
    if (strings.length === given.length) result["enum"] = strings;
    return;
  }
  const told = `One of: ${given.map((value) => JSON.stringify(value)).join(", ")}.`;
  const description = result["description"];
  result["description"] = typeof description === "string" ? `${description} ${told}` : told;
}

/** Gemini refuses a list that does not say what is in it. */
function itemsOf(node: JsonObject): JsonObject {
  if (isJsonObject(node["items"])) return geminiSchema(node["items"]);
  const tuple = schemasOf(node["prefixItems"]).map(geminiSchema);
  const [first] = tuple;
  if (first === undefined) return { type: "string" };
  return tuple.length === 1 ? first : { anyOf: tuple };
}

/** Gemini refuses an empty list of properties, and requirements that it does not list. */
function addProperties(result: Draft, node: JsonObject): void {
  const entries = Object.entries(objectOf(node["properties"])).flatMap(([name, schema]) => {
    if (schema === undefined || schema === false) return [];
    return [[name, geminiSchema(isJsonObject(schema) ? schema : {})] as const];
  });
  if (entries.length === 0) return;
  const properties: JsonObject = Object.fromEntries(entries);
  result["properties"] = properties;
  const required = listOf(node["required"]).filter((name) =>
    typeof name === "string" && Object.hasOwn(properties, name)
  );
  if (required.length > 0) result["required"] = [...new Set(required)];
}

function defined(draft: Draft): Draft {
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
}

function schemasOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

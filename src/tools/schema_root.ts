import type { JsonObject, JsonValue } from "../model/json.ts";
import { isJsonObject } from "../model/json.ts";
import { resolveReference } from "./schema_refs.ts";
import { MAX_SCHEMA_DEPTH, withoutKeywords } from "./schema_tree.ts";

/** Keywords that no vendor takes at the root of a tool's arguments. */
const COMBINING: readonly string[] = [
  "$ref",
  "allOf",
  "anyOf",
  "const",
  "else",
  "enum",
  "if",
  "not",
  "oneOf",
  "then",
];

/** Schemas looked at in one root; references could make a few of them count as millions. */
const MAX_PARTS = 1000;

/** Properties that a root and its alternatives name. */
interface Arguments {
  readonly properties: ReadonlyMap<string, JsonValue>;
  readonly required: ReadonlySet<string>;
}

/**
 * The root of an argument schema as one plain object schema: alternatives are laid together, and
 * an argument is required when every alternative requires it. What is lost in that is said in the
 * description, for the model to read.
 * @returns `null` when the arguments can be no object at all.
 */
export function flattenRoot(root: JsonObject): JsonObject | null {
  const combined = COMBINING.some((keyword) => Object.hasOwn(root, keyword));
  const { properties, required } = argumentsOf(root, root);
  if (!mayBeObject(root["type"]) && properties.size === 0) return null;
  const plain: JsonObject = {
    ...(combined ? withoutKeywords(root, ...COMBINING, "additionalProperties") : root),
    type: "object",
    properties: Object.fromEntries(properties),
  };
  const known = [...required].filter((name) => properties.has(name));
  const schema: JsonObject = known.length > 0
    ? { ...plain, required: known }
    : withoutKeywords(plain, "required");
  const choices = choicesText(root);
  if (choices === "") return schema;
  const description = typeof root["description"] === "string" ? `${root["description"]}\n` : "";
  return { ...schema, description: description + choices };
}

function mayBeObject(type: JsonValue | undefined): boolean {
  return type === undefined || type === "object" ||
    (Array.isArray(type) && type.includes("object"));
}

function argumentsOf(
  root: JsonObject,
  node: JsonObject,
  depth = 0,
  budget = { parts: MAX_PARTS },
): Arguments {
  const properties = new Map<string, JsonValue>();
  const required = new Set<string>(stringsOf(node["required"]));
  const add = (name: string, schema: JsonValue): void => {
    const known = properties.get(name);
    properties.set(name, known === undefined ? schema : either(known, schema));
  };
  for (const [name, schema] of Object.entries(objectOf(node["properties"]))) {
    if (schema !== undefined) add(name, schema);
  }
  if (depth > MAX_SCHEMA_DEPTH || --budget.parts < 0) return { properties, required };
  const parts = schemasOf(node["allOf"]);
  const target = typeof node["$ref"] === "string" ? resolveReference(root, node["$ref"]) : null;
  for (const part of target === null ? parts : [target, ...parts]) {
    const inner = argumentsOf(root, part, depth + 1, budget);
    for (const [name, schema] of inner.properties) add(name, schema);
    for (const name of inner.required) required.add(name);
  }
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = schemasOf(node[keyword]).map((branch) =>
      argumentsOf(root, branch, depth + 1, budget)
    );
    for (const branch of branches) {
      for (const [name, schema] of branch.properties) add(name, schema);
    }
    for (const name of branches[0]?.required ?? []) {
      if (branches.every((branch) => branch.required.has(name))) required.add(name);
    }
  }
  return { properties, required };
}

/** Which arguments go together, when alternatives require different ones. */
function choicesText(root: JsonObject): string {
  const lines: string[] = [];
  for (const keyword of ["anyOf", "oneOf"]) {
    const groups = schemasOf(root[keyword])
      .map((branch) => [...argumentsOf(root, branch).required].join(", "))
      .filter((group) => group !== "");
    if (new Set(groups).size < 2) continue;
    const head = keyword === "oneOf"
      ? "Give exactly one of these groups"
      : "Give one of these groups";
    lines.push(`${head} of arguments: ${groups.map((group) => `(${group})`).join(" or ")}.`);
  }
  return lines.join("\n");
}

/** A schema for what either of two takes. */
function either(first: JsonValue, second: JsonValue): JsonValue {
  if (JSON.stringify(first) === JSON.stringify(second)) return first;
  const known = isJsonObject(first) && Object.keys(first).length === 1 ? first["anyOf"] : undefined;
  if (!Array.isArray(known)) return { anyOf: [first, second] };
  const text = JSON.stringify(second);
  return known.some((schema) => JSON.stringify(schema) === text)
    ? first
    : { anyOf: [...known, second] };
}

function schemasOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function stringsOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

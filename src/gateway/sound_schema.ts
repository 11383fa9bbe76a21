import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import { modelSchemaText } from "../tools/model_text.ts";
import { inlineReferences } from "../tools/schema_refs.ts";
import { repairSchema } from "../tools/schema_repair.ts";
import { flattenRoot } from "../tools/schema_root.ts";

/** A schema that every host takes, or why there is none. */
export interface SoundSchema {
  /** The schema; `null` when it cannot be saved. */
  readonly schema: JsonObject | null;
  /** What was done to it, in a few words; empty when it is as its server lists it. */
  readonly repairs: readonly string[];
}

/**
 * The schema of a tool's arguments in a form that no host refuses: several refuse the whole list of
 * tools for one whose root is not plainly an object, or that has a property described by `true`.
 * What the schema means is kept; the server checks the arguments itself. Pure.
 */
export function soundInputSchema(given: JsonObject): SoundSchema {
  const { schema, repairs } = repaired(given);
  const root = isPlainObject(schema) ? schema : flattenRoot(schema);
  if (root === null) return { schema: null, repairs: ["its arguments are not an object"] };
  return {
    schema: withObjectProperties(root),
    repairs: root === schema ? repairs : [...repairs, "the root"],
  };
}

/**
 * The schema of a tool's structured results, when every host can take and compile it: some refuse
 * the whole list of tools else. Without it a tool works as well. Pure.
 */
export function soundOutputSchema(given: JsonValue | undefined): JsonObject | null {
  if (!isJsonObject(given)) return null;
  const { schema, repairs } = repaired(given);
  if (repairs.length > 0 || !isPlainObject(schema)) return null;
  return withObjectProperties(schema);
}

function repaired(given: JsonObject): { schema: JsonObject; repairs: readonly string[] } {
  const { schema, changed } = repairSchema(modelSchemaText(given));
  const inlined = inlineReferences(schema, { keepDefs: true });
  return {
    schema: inlined.schema,
    repairs: [...changed.map((key) => `"${key}"`), ...inlined.warnings],
  };
}

/** Whether a root says plainly that it is an object, and combines no alternatives. */
function isPlainObject(schema: JsonObject): boolean {
  return schema["type"] === "object" &&
    !["$ref", "allOf", "anyOf", "oneOf"].some((keyword) => Object.hasOwn(schema, keyword));
}

/** Arguments that take anything as empty schemas; those that may never be given are left out. */
function withObjectProperties(root: JsonObject): JsonObject {
  const properties = isJsonObject(root["properties"]) ? root["properties"] : {};
  const entries = Object.entries(properties);
  const isSound = root["properties"] !== undefined &&
    entries.every(([, schema]) => isJsonObject(schema));
  if (isSound) return root;
  const sound = entries.flatMap(([name, schema]): [string, JsonValue][] =>
    schema === false ? [] : [[name, isJsonObject(schema) ? schema : {}]]
  );
  return { ...root, properties: Object.fromEntries(sound) };
}

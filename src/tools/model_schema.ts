import type { JsonObject, JsonValue } from "../model/json.ts";
import { isJsonObject } from "../model/json.ts";
import type { ToolInfo } from "../model/listing.ts";
import { geminiSchema } from "./gemini_schema.ts";
import { modelSchemaText } from "./model_text.ts";
import { inlineReferences } from "./schema_refs.ts";
import { repairSchema } from "./schema_repair.ts";
import { flattenRoot } from "./schema_root.ts";
import { mapSchema } from "./schema_tree.ts";

/** Whose models the tool is offered to. */
export type ModelVendor = "anthropic" | "openai" | "gemini";

/** The arguments of a tool as one vendor takes them. */
export interface VendorSchema {
  /** The schema; `null` when the tool must be left out. */
  readonly schema: JsonObject | null;
  /** What was repaired or lost, or why the tool is left out: one sentence each. */
  readonly warnings: readonly string[];
}

/** Names of arguments that Anthropic's API accepts; it refuses the whole request otherwise. */
const ANTHROPIC_ARGUMENT = /^[a-zA-Z0-9_.-]{1,64}$/;

/**
 * The schema of a tool's arguments in the form that a vendor's API takes. One bad schema makes a
 * vendor refuse the whole request, so each is repaired, or the tool is left out alone. The server
 * still checks the arguments itself: a repaired schema may allow more than the original. Pure.
 */
export function forVendor(vendor: ModelVendor, tool: ToolInfo): VendorSchema {
  const repaired = repairSchema(modelSchemaText(tool.inputSchema));
  const warnings = repaired.changed.length === 0
    ? []
    : [`The schema was repaired at ${repaired.changed.map((key) => `"${key}"`).join(", ")}.`];
  const inlined = inlineReferences(repaired.schema, { keepDefs: vendor !== "gemini" });
  warnings.push(...inlined.warnings);
  const root = flattenRoot(inlined.schema);
  if (root === null) {
    return {
      schema: null,
      warnings: [...warnings, "The tool is left out: its arguments are not an object."],
    };
  }
  switch (vendor) {
    case "gemini":
      return { schema: geminiSchema(root), warnings };
    case "openai":
      return { schema: mapSchema(root, withItems), warnings };
    case "anthropic":
      return withAcceptedNames(root, warnings);
  }
}

/** OpenAI refuses a list that does not say what is in it. */
function withItems(schema: JsonObject): JsonObject {
  const { type } = schema;
  const isList = type === "array" || (Array.isArray(type) && type.includes("array"));
  return isList && !isJsonObject(schema["items"]) ? { ...schema, items: {} } : schema;
}

/** Arguments of other names cannot be passed: they go, or the tool goes when it needs them. */
function withAcceptedNames(schema: JsonObject, warnings: readonly string[]): VendorSchema {
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const refused = Object.keys(properties).filter((name) => !ANTHROPIC_ARGUMENT.test(name));
  if (refused.length === 0) return { schema, warnings };
  const named = refused.map((name) => JSON.stringify(name)).join(", ");
  const required: JsonValue = schema["required"] ?? [];
  if (Array.isArray(required) && refused.some((name) => required.includes(name))) {
    return {
      schema: null,
      warnings: [...warnings, `The tool is left out: it needs arguments named ${named}.`],
    };
  }
  return {
    schema: {
      ...schema,
      properties: Object.fromEntries(
        Object.entries(properties).filter(([name]) => !refused.includes(name)),
      ),
    },
    warnings: [...warnings, `Arguments are left out for their names: ${named}.`],
  };
}

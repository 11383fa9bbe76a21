import type { Schema, SchemaDraft } from "@cfworker/json-schema";

import type { JsonObject, JsonValue } from "../model/json.ts";
import { mapSchema, withoutKeywords } from "./schema_tree.ts";

/** Characters of JSON beyond which a result is not checked: a check must not cost a second. */
const MAX_CHECKED = 1024 * 1024;

/** Drafts by a part of the `$schema` that names them. */
const DRAFTS: readonly (readonly [part: string, draft: SchemaDraft])[] = [
  ["draft/2020-12", "2020-12"],
  ["draft/2019-09", "2019-09"],
  ["draft-07", "7"],
  ["draft-06", "7"],
  ["draft-04", "4"],
];

/**
 * Compares a structured result with the tool's output schema. It warns and nothing more: many
 * servers break their own schemas, and their answers are of use all the same. Never throws.
 * @returns One sentence, or `null` when there is nothing to say.
 */
export async function outputWarning(
  schema: JsonObject,
  value: JsonValue,
): Promise<string | null> {
  const draft = draftOf(schema["$schema"]);
  if (draft === null) return "The output schema is of an unknown dialect, so it was not checked.";
  try {
    if (JSON.stringify(value).length > MAX_CHECKED) return null;
    const { Validator } = await import("@cfworker/json-schema");
    // A copy: the validator writes into the schema that it is given.
    const copy = structuredClone(mapSchema(schema, checkable)) as Schema;
    const { valid, errors } = new Validator(copy, draft).validate(value);
    if (valid) return null;
    // Outer errors only say that an inner one exists; the last one names the place.
    const error = errors.at(-1);
    const place = error === undefined || error.instanceLocation === "#"
      ? ""
      : ` at "${error.instanceLocation.slice(2)}"`;
    return `The structured result does not match the tool's output schema${place}.`;
  } catch {
    // A reference to nowhere, or recursion without end.
    return "The output schema cannot be used, so the result was not checked.";
  }
}

/**
 * The part of a schema that is safe and worth checking. Patterns go: a server's regular expression
 * can take hours. Formats go: servers use names of their own.
 */
function checkable(schema: JsonObject): JsonObject {
  if (Object.hasOwn(schema, "patternProperties")) {
    // Without the patterns nobody knows which properties are additional ones.
    return withoutKeywords(
      schema,
      "pattern",
      "format",
      "patternProperties",
      "additionalProperties",
      "unevaluatedProperties",
    );
  }
  return withoutKeywords(schema, "pattern", "format");
}

function draftOf(dialect: JsonValue | undefined): SchemaDraft | null {
  if (dialect === undefined) return "2020-12";
  if (typeof dialect !== "string") return null;
  return DRAFTS.find(([part]) => dialect.includes(part))?.[1] ?? null;
}

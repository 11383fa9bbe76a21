import type { JsonObject, JsonValue } from "../model/json.ts";
import { isJsonObject } from "../model/json.ts";
import { mapChildren, MAX_SCHEMA_DEPTH, withoutKeywords } from "./schema_tree.ts";

/** How often one reference is followed inside itself before the recursion is cut. */
const MAX_RECURSION = 2;

/** Schemas written out at most; a few references can stand for millions of them. */
const MAX_SCHEMAS = 5000;

/** A schema whose references were replaced. */
export interface InlinedSchema {
  /** The schema. */
  readonly schema: JsonObject;
  /** What was lost, one sentence each. */
  readonly warnings: readonly string[];
}

/**
 * The schema a reference leads to, within one document.
 * @returns `null` for references to other documents, to anchors, and to nowhere.
 */
export function resolveReference(root: JsonObject, reference: string): JsonObject | null {
  if (!reference.startsWith("#")) return null;
  let current: JsonValue | undefined = root;
  for (const step of pointerSteps(reference)) {
    if (Array.isArray(current)) current = current[Number(step)];
    else if (isJsonObject(current) && Object.hasOwn(current, step)) current = current[step];
    else return null;
  }
  return isJsonObject(current) ? current : null;
}

/**
 * Replaces references by what they lead to. One that leads nowhere becomes a schema that takes
 * anything; recursion is followed twice, then cut. With `keepDefs` a reference into `$defs` or
 * `definitions` stays, and so do these; else both are removed. [D09]
 */
export function inlineReferences(
  root: JsonObject,
  options: { readonly keepDefs: boolean },
): InlinedSchema {
  const warnings = new Set<string>();
  let written = 0;

  function inline(node: JsonObject, followed: readonly string[], depth: number): JsonObject {
    if (++written > MAX_SCHEMAS || depth > MAX_SCHEMA_DEPTH) {
      warnings.add("The schema is too large and was cut.");
      return {};
    }
    const reference = node["$ref"];
    if (typeof reference !== "string") {
      const open = options.keepDefs ? node : withoutKeywords(node, "$defs", "definitions");
      return mapChildren(open, (child) => inline(child, followed, depth + 1));
    }
    const target = resolveReference(root, reference);
    const siblings = withoutKeywords(node, "$ref");
    if (target !== null && options.keepDefs && isKept(reference)) {
      return {
        $ref: reference,
        ...mapChildren(siblings, (child) => inline(child, followed, depth + 1)),
      };
    }
    if (target === null) {
      warnings.add(`The reference "${reference}" leads nowhere.`);
      return inline(siblings, followed, depth + 1);
    }
    if (followed.filter((other) => other === reference).length >= MAX_RECURSION) {
      warnings.add("A recursive part of the schema was cut.");
      return typeof target["type"] === "string" ? { type: target["type"], ...siblings } : siblings;
    }
    return inline({ ...target, ...siblings }, [...followed, reference], depth + 1);
  }

  return { schema: inline(root, [], 0), warnings: [...warnings] };
}

function isKept(reference: string): boolean {
  return reference === "#" || /^#\/(?:\$defs|definitions)\/[^/]+$/.test(reference);
}

function pointerSteps(reference: string): string[] {
  const pointer = reference.slice(1);
  if (pointer === "") return [];
  return pointer.split("/").slice(pointer.startsWith("/") ? 1 : 0).map((step) => {
    const plain = step.replaceAll("~1", "/").replaceAll("~0", "~");
    try {
      return decodeURIComponent(plain);
    } catch {
      return plain;
    }
  });
}

import type { ToolInfo } from "../model/listing.ts";
import { canonicalJson } from "../definitions/canonical_json.ts";

/** How one tool list differs from an earlier one of the same server; names in the lists' order. */
export interface ToolChanges {
  /** Listed now, not before. */
  readonly added: readonly string[];
  /** Listed before, not now. */
  readonly removed: readonly string[];
  /** Listed in both with another description or another schema of arguments. */
  readonly changed: readonly string[];
}

/**
 * Compares two tool lists by what a model is told: name, description and schema of arguments. A
 * tool that was approved and then says something else is an attack, or at least news. [H03]
 */
export function toolChanges(
  before: readonly ToolInfo[],
  after: readonly ToolInfo[],
): ToolChanges {
  const known = new Map(before.map((tool) => [tool.name, tool]));
  const names = new Set(after.map(({ name }) => name));
  return {
    added: [...names].filter((name) => !known.has(name)),
    removed: [...known.keys()].filter((name) => !names.has(name)),
    changed: after.flatMap((tool) => {
      const earlier = known.get(tool.name);
      return earlier === undefined || isSameOffer(earlier, tool) ? [] : [tool.name];
    }),
  };
}

function isSameOffer(a: ToolInfo, b: ToolInfo): boolean {
  return a.description === b.description &&
    canonicalJson(a.inputSchema) === canonicalJson(b.inputSchema);
}

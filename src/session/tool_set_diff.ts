import { canonicalJson } from "../definitions/canonical_json.ts";
import type { JsonValue } from "../model/json.ts";
import type { Tool } from "../model/tool.ts";
import type { ToolSetDiff } from "../model/tool_set.ts";

/** A diff of equal tool sets. */
const NO_DIFFERENCE: ToolSetDiff = { added: [], removed: [], changed: [] };

/** How one list of tools differs from the one before. Pure. */
export function toolSetDiff(before: readonly Tool[], after: readonly Tool[]): ToolSetDiff {
  if (before === after) return NO_DIFFERENCE;
  const [old, now] = [byName(before), byName(after)];
  return {
    added: [...now.keys()].filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !now.has(name)),
    changed: [...now].flatMap(([name, tool]) => {
      const known = old.get(name);
      return known === undefined || isSameTool(known, tool) ? [] : [name];
    }),
  };
}

/** Whether two lists say the same to a model and its host: what each tool says, and the order. Pure. */
export function isSameToolSet(before: readonly Tool[], after: readonly Tool[]): boolean {
  return before === after || before.length === after.length && before.every((tool, index) => {
        const other = after[index];
        return other !== undefined && other.name === tool.name && isSameTool(tool, other);
      });
}

function isSameTool(before: Tool, after: Tool): boolean {
  return before === after || before.description === after.description &&
      before.label === after.label && before.server === after.server &&
      // A host that keeps the tools goes by their approvals and hints.
      before.autoApprove === after.autoApprove &&
      isSameText(before.parameters, after.parameters) &&
      isSameText(before.info.annotations, after.info.annotations) &&
      isSameText(before.info.outputSchema, after.info.outputSchema);
}

function isSameText(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  return before === after || canonicalJson(before ?? null) === canonicalJson(after ?? null);
}

function byName(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  return new Map(tools.map((tool) => [tool.name, tool]));
}

import { HotplugError } from "../model/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import { valueAt } from "../sources/config_document.ts";
import type { ValueChange } from "./file_edit.ts";
import type { TargetFile } from "./target.ts";

/** Agents whose files say what the user is asked for. */
const ASKING: ReadonlySet<string> = new Set([
  "vscode",
  "vscode-insiders",
  "vscodium",
  "copilot-editors",
]);

/** Where a file may say so, beside its servers. */
const PLACES: readonly (readonly string[])[] = [
  ["inputs"],
  ["mcp", "inputs"],
  ["settings", "mcp", "inputs"],
  ["customizations", "vscode", "mcp", "inputs"],
];

/** What a file says about the values that only the user can give, each an object with an `id`. */
export function inputDefinitions(root: JsonObject): readonly JsonObject[] {
  return PLACES.flatMap((place) => {
    const items = valueAt(root, place);
    return Array.isArray(items) ? (items as readonly JsonValue[]).filter(isDefinition) : [];
  });
}

function isDefinition(item: unknown): item is JsonObject {
  return isJsonObject(item) && typeof item["id"] === "string";
}

/** Whether the file of a target says what the user is asked for. */
export function asksForInputs({ format }: Pick<TargetFile, "format">): boolean {
  return ASKING.has(format.id);
}

/**
 * What adds the values that entries refer to, to those that a file of VS Code's asks for. Ids that
 * stand there are left alone; one that nothing describes is asked for as a password is.
 *
 * @param ids The values, each by the `id` of `${input:id}`.
 * @param known What is known about them.
 * @throws {HotplugError} `edit-refused` when something else stands in the place of the list.
 */
export function inputChanges(
  root: JsonObject,
  { key }: Pick<TargetFile, "key">,
  ids: readonly string[],
  known: readonly JsonObject[],
): readonly ValueChange[] {
  if (ids.length === 0) return [];
  const path = [...key.slice(0, -1), "inputs"];
  const found = valueAt(root, path) ?? null;
  if (found !== null && !Array.isArray(found)) {
    throw new HotplugError("edit-refused", `Cannot change "${path.join(".")}": it is no list`, {
      hint: "Correct the file first; it was left as it is",
    });
  }
  const items = (found ?? []) as readonly JsonValue[];
  const isThere = (id: string): boolean =>
    items.some((item) => isDefinition(item) && item["id"] === id);
  const added = [...new Set(ids)].filter((id) => !isThere(id)).map((id): JsonObject =>
    known.find((one) => one["id"] === id) ??
      { type: "promptString", id, description: `Value of ${id}`, password: true }
  );
  if (added.length === 0) return [];
  if (found === null) return [{ path, value: added }];
  return added.map((value, index) => ({ path: [...path, items.length + index], value }));
}

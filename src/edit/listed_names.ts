import type { JsonObject } from "../model/json.ts";
import type { ValueChange } from "./file_edit.ts";
import { namesWith } from "./list_change.ts";

/**
 * What adds several names to a list of names in one edit; nothing for those that stand there.
 *
 * @throws {HotplugError} `edit-refused` when something else stands in the list's place.
 */
export function allNamesWith(
  root: JsonObject,
  path: readonly string[],
  names: readonly string[],
): readonly ValueChange[] {
  const missing = names.filter((name) => namesWith(root, path, name).length > 0);
  const [first = ""] = missing;
  if (missing.length === 0) return [];
  return namesWith(root, path, first).flatMap((change): readonly ValueChange[] => {
    const end = change.path.at(-1);
    // A list that is made holds them all; to another each is appended.
    if (typeof end !== "number") return [{ path: change.path, value: missing }];
    return missing.map((value, index) => ({ path: [...path, end + index], value }));
  });
}

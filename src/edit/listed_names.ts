import type { JsonObject, JsonValue } from "../model/json.ts";
import { isNamed } from "./entry_place.ts";
import type { ValueChange } from "./file_edit.ts";
import { valueAt } from "../sources/config_document.ts";
import { namesWith, namesWithout } from "./list_change.ts";

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

/**
 * What takes several names out of a list of names in one edit; nothing for those that are not in
 * it.
 *
 * @throws {HotplugError} `edit-refused` when something else stands in the list's place.
 */
export function allNamesWithout(
  root: JsonObject,
  path: readonly string[],
  names: readonly string[],
): readonly ValueChange[] {
  const changes = names.flatMap((name) => namesWithout(root, path, name));
  if (changes.length < 2) return changes;
  // Positions move with each removal, so several go at once.
  const items = valueAt(root, path) as readonly JsonValue[];
  const gone = new Set(names);
  const rest = items.filter((item) => typeof item !== "string" || !gone.has(item.trim()));
  return [{ path, value: rest }];
}

/**
 * What adds names to a list of names and takes others off it in one edit; nothing when it is so.
 *
 * @throws {HotplugError} `edit-refused` when something else stands in the list's place.
 */
export function listWith(
  root: JsonObject,
  path: readonly string[],
  { added, removed }: { readonly added: readonly string[]; readonly removed: readonly string[] },
): readonly ValueChange[] {
  const going = removed.filter((name) => namesWithout(root, path, name).length > 0);
  const [first, ...others] = going;
  if (first === undefined) return allNamesWith(root, path, added);
  if (others.length === 0 && added.length === 0) return namesWithout(root, path, first);
  // Positions move with each removal, so the list is set as a whole.
  const items = valueAt(root, path) as readonly JsonValue[];
  const kept = items.filter((item) => !going.some((name) => isNamed(item, name)));
  const missing = added.filter((name) => !kept.some((item) => isNamed(item, name)));
  return [{ path, value: [...kept, ...missing] }];
}

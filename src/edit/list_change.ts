import type { ValueChange } from "./file_edit.ts";
import { HotplugError } from "../model/errors.ts";
import type { JsonObject, JsonValue } from "../model/json.ts";
import { valueAt } from "../sources/config_document.ts";
import { isNamed } from "./entry_place.ts";

/**
 * What adds a name to a list of names, which is made when it is missing; nothing when the name
 * stands there.
 *
 * @throws {HotplugError} `edit-refused` when something else stands in the list's place.
 */
export function namesWith(
  root: JsonObject,
  path: readonly string[],
  name: string,
): readonly ValueChange[] {
  const items = listAt(root, path);
  if (items === null) return [{ path, value: [name] }];
  if (items.some((item) => isNamed(item, name))) return [];
  return [{ path: [...path, items.length], value: name }];
}

/**
 * What takes a name out of a list of names; nothing when it is not in it.
 *
 * @throws {HotplugError} `edit-refused` when something else stands in the list's place.
 */
export function namesWithout(
  root: JsonObject,
  path: readonly string[],
  name: string,
): readonly ValueChange[] {
  const items = listAt(root, path) ?? [];
  const places = items.flatMap((item, index) => isNamed(item, name) ? [index] : []);
  const [first, ...others] = places;
  if (first === undefined) return [];
  // Positions move with each removal, so several go at once.
  if (others.length > 0) return [{ path, value: items.filter((item) => !isNamed(item, name)) }];
  return [{ path: [...path, first], value: undefined }];
}

function listAt(root: JsonObject, path: readonly string[]): readonly JsonValue[] | null {
  const value = valueAt(root, path);
  if (value === undefined) return null;
  if (Array.isArray(value)) return value as readonly JsonValue[];
  throw new HotplugError("edit-refused", `Cannot change "${path.join(".")}": it is no list`, {
    hint: "Correct the file first; it was left as it is",
  });
}

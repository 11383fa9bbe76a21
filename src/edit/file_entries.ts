import { HotplugError } from "../model/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import { valueAt } from "../sources/config_document.ts";
import { isNamed } from "./entry_place.ts";
import type { ValueChange } from "./file_edit.ts";
import type { TargetFile } from "./target.ts";

/** The servers that a file holds, be it by name or in a list. */
export interface FileEntries {
  /** Whether they stand in a list. */
  readonly isList: boolean;
  /** The entry of a name and its key or position; `null` when there is none. */
  readonly find: (
    name: string,
  ) => { readonly step: string | number; readonly value: JsonValue | undefined } | null;
  /** An entry as it stands there; an item of a list holds its name. */
  readonly written: (name: string, raw: JsonObject) => JsonObject;
  /** What adds items at the end of the list; nothing where there is none. */
  readonly append: (items: readonly JsonObject[]) => readonly ValueChange[];
}

/**
 * The servers of a target's file.
 *
 * @throws {HotplugError} `edit-refused` when something else stands in their place.
 */
export function entriesIn(
  root: JsonObject,
  { path, key, format: { list } }: Pick<TargetFile, "path" | "key"> & {
    readonly format: Pick<TargetFile["format"], "list">;
  },
): FileEntries {
  const found = valueAt(root, key) ?? null;
  const isList = list !== undefined;
  if (found !== null && (isList ? !Array.isArray(found) : !isJsonObject(found))) {
    throw new HotplugError(
      "edit-refused",
      `Cannot edit "${path}": "${key.join(".")}" is no ${isList ? "list" : "object"}`,
      { hint: "Correct the file first; it was left as it is" },
    );
  }
  if (list === undefined) {
    return {
      isList,
      // A name such as `__proto__` is like any other.
      find: (name) =>
        isJsonObject(found) && Object.hasOwn(found, name)
          ? { step: name, value: found[name] }
          : null,
      written: (_name, raw) => raw,
      append: () => [],
    };
  }
  const items = Array.isArray(found) ? found as readonly JsonValue[] : [];
  return {
    isList,
    find: (name) => {
      const step = items.findIndex((item) => isJsonObject(item) && isNamed(item[list], name));
      return step < 0 ? null : { step, value: items[step] };
    },
    written: (name, raw) => ({ [list]: name, ...raw }),
    append: (added) => {
      if (added.length === 0) return [];
      if (found === null) return [{ path: key, value: added }];
      return added.map((value, index) => ({ path: [...key, items.length + index], value }));
    },
  };
}

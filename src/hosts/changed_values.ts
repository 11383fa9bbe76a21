import { isDeepStrictEqual } from "node:util";
import type { ValueChange } from "../edit/file_edit.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";

/** The value at a path of keys; `undefined` where a step is missing. Pure. */
export function valueAtKeys(root: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const key of path) {
    value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

/** The objects on the way to a path that are not there yet, outermost first. Pure. */
export function missingContainers(
  root: JsonObject,
  path: readonly string[],
): readonly (readonly string[])[] {
  return path.slice(0, -1).map((_key, index) => path.slice(0, index + 1))
    .filter((container) => valueAtKeys(root, container) === undefined);
}

/**
 * The changes that take containers away which are empty once other changes are made, innermost
 * first. Pure.
 */
export function emptied(
  root: JsonObject,
  changes: readonly ValueChange[],
  containers: readonly (readonly string[])[],
): readonly ValueChange[] {
  let after: JsonValue = root;
  for (const { path, value } of changes) after = changed(after, path, value) ?? {};
  const removed: ValueChange[] = [];
  for (const path of containers.toSorted((a, b) => b.length - a.length)) {
    const left: JsonValue | undefined = isJsonObject(after) ? valueAtKeys(after, path) : undefined;
    if (!isDeepStrictEqual(left, {}) && !isDeepStrictEqual(left, [])) continue;
    removed.push({ path, value: undefined });
    after = changed(after, path, undefined) ?? {};
  }
  return removed;
}

/** A value in which another one stands at a path, or none. */
function changed(
  root: JsonValue | undefined,
  path: readonly (string | number)[],
  value: JsonValue | undefined,
): JsonValue | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (Array.isArray(root)) {
    const items = root as readonly JsonValue[];
    const next = changed(items[Number(step)], rest, value);
    return next === undefined
      ? items.filter((_item, index) => index !== Number(step))
      : items.map((item, index) => index === Number(step) ? next : item);
  }
  const object = isJsonObject(root) ? root : {};
  const next = changed(Object.hasOwn(object, step) ? object[step] : undefined, rest, value);
  const others = Object.entries(object).filter(([key]) => key !== String(step));
  return Object.fromEntries(next === undefined ? others : [...others, [String(step), next]]);
}

import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";

/** One change to a value that an editor of a format can make. */
export type EditStep =
  /** Replaces the value that stands at the path. */
  | { readonly kind: "set"; readonly path: readonly string[]; readonly value: JsonValue }
  /** Adds a key that its object lacks, or an item after the last one of its array. */
  | { readonly kind: "add"; readonly path: readonly string[]; readonly value: JsonValue }
  /** Removes what stands at the path. */
  | { readonly kind: "remove"; readonly path: readonly string[] };

/** The steps of a change, or why and at which path there are none. */
export type Steps =
  | { readonly ok: true; readonly steps: readonly EditStep[] }
  | { readonly ok: false; readonly message: string; readonly path: readonly string[] };

/**
 * The steps that make `path` hold `wanted`, as few and as deep as possible; `undefined` removes
 * it. Parents that are missing or null are made as objects.
 */
export function stepsFor(
  root: JsonValue,
  path: readonly string[],
  wanted: JsonValue | undefined,
): Steps {
  let value: JsonValue = root;
  for (const [depth, key] of path.entries()) {
    const here = path.slice(0, depth);
    const child: JsonValue | undefined = childOf(value, key);
    if (child !== undefined) {
      value = child;
      continue;
    }
    if (wanted === undefined && (value === null || typeof value === "object")) {
      return { ok: true, steps: [] };
    }
    const rest = nested(path.slice(depth + 1), wanted ?? null);
    if (Array.isArray(value)) {
      const next = String(value.length);
      if (key === next) {
        return { ok: true, steps: [{ kind: "add", path: [...here, key], value: rest }] };
      }
      const message = `expected a position from 0 to ${next} in the list`;
      return { ok: false, message, path: here };
    }
    if (value === null) {
      return { ok: true, steps: [{ kind: "set", path: here, value: nested([key], rest) }] };
    }
    if (isJsonObject(value)) {
      return { ok: true, steps: [{ kind: "add", path: [...here, key], value: rest }] };
    }
    return { ok: false, message: "expected an object to hold the change", path: here };
  }
  if (wanted !== undefined) return { ok: true, steps: difference(value, wanted, path) };
  if (path.length > 0) return { ok: true, steps: [{ kind: "remove", path }] };
  return { ok: false, message: "expected a key to remove, found the whole text", path };
}

/** The value after a step. */
export function afterStep(root: JsonValue, step: EditStep): JsonValue {
  return placed(root, step.path, step.kind === "remove" ? undefined : step.value) ?? null;
}

function placed(
  value: JsonValue | undefined,
  path: readonly string[],
  wanted: JsonValue | undefined,
): JsonValue | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return wanted;
  if (Array.isArray(value)) {
    const list = value as readonly JsonValue[];
    const index = Number(key);
    const item = placed(list[index], rest, wanted);
    return item === undefined ? list.toSpliced(index, 1) : list.toSpliced(index, 1, item);
  }
  const entries = new Map(isJsonObject(value) ? Object.entries(value) : []);
  const item = placed(entries.get(key), rest, wanted);
  if (item === undefined) entries.delete(key);
  else entries.set(key, item);
  return Object.fromEntries(entries);
}

/** Steps from one value to another at a path: only what differs. */
function difference(
  old: JsonValue,
  wanted: JsonValue,
  path: readonly string[],
): readonly EditStep[] {
  if (sameValue(old, wanted)) return [];
  if (isJsonObject(old) && isJsonObject(wanted)) return objectDifference(old, wanted, path);
  if (Array.isArray(old) && Array.isArray(wanted)) return listDifference(old, wanted, path);
  return [{ kind: "set", path, value: wanted }];
}

function objectDifference(
  old: JsonObject,
  wanted: JsonObject,
  path: readonly string[],
): readonly EditStep[] {
  const changed = Object.entries(wanted).flatMap(([key, value = null]): readonly EditStep[] => {
    const known = childOf(old, key);
    const at = [...path, key];
    return known === undefined ? [{ kind: "add", path: at, value }] : difference(known, value, at);
  });
  const gone = Object.keys(old).filter((key) => !Object.hasOwn(wanted, key));
  return [...changed, ...gone.map((key): EditStep => ({ kind: "remove", path: [...path, key] }))];
}

function listDifference(
  old: readonly JsonValue[],
  wanted: readonly JsonValue[],
  path: readonly string[],
): readonly EditStep[] {
  const at = (index: number): readonly string[] => [...path, String(index)];
  const surplus = old.length - wanted.length;
  let head = 0;
  while (head < wanted.length && sameAt(old[head], wanted[head])) head++;
  if (surplus > 0 && wanted.slice(head).every((item, i) => sameAt(old[head + surplus + i], item))) {
    const middle = Array.from({ length: surplus }, (_, index) => head + index).reverse();
    return middle.map((index) => ({ kind: "remove", path: at(index) }));
  }
  const steps = wanted.flatMap((item, index): readonly EditStep[] => {
    const known = old[index];
    return known === undefined
      ? [{ kind: "add", path: at(index), value: item }]
      : difference(known, item, at(index));
  });
  const rest = old.map((_, index) => index).slice(wanted.length).reverse();
  return [...steps, ...rest.map((index): EditStep => ({ kind: "remove", path: at(index) }))];
}

function sameAt(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return one !== undefined && other !== undefined && sameValue(one, other);
}

/** Whether two values are equal; the order of keys does not count. */
export function sameValue(one: JsonValue, other: JsonValue): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => sameAt(item, other[index]));
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length &&
    keys.every((key) =>
      Object.hasOwn(other, key) && sameAt(childOf(one, key), childOf(other, key))
    );
}

/** The value of a key or of a position; `undefined` when there is none. */
function childOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (Array.isArray(value)) {
    return /^(?:0|[1-9]\d*)$/.test(key) ? (value as readonly JsonValue[])[Number(key)] : undefined;
  }
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** A value in objects, one for each key. */
function nested(keys: readonly string[], value: JsonValue): JsonValue {
  return keys.reduceRight<JsonValue>((inner, key) => Object.fromEntries([[key, inner]]), value);
}

/** A value without the properties that are `undefined`. */
export function withoutUndefined(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]): readonly (readonly [string, JsonValue])[] =>
      item === undefined ? [] : [[key, withoutUndefined(item)]]
    ),
  );
}

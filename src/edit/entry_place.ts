import type { Definition } from "../model/definition.ts";
import { HotplugError } from "../model/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import { shownName } from "../model/remedies.ts";
import { valueAt } from "../sources/config_document.ts";
import { formatOf } from "./target.ts";

/**
 * Where a definition's entry can be changed.
 *
 * @throws {HotplugError} `edit-refused`.
 */
export function editablePlace(
  { name, source }: Definition,
  action: "remove" | "enable" | "disable",
): { readonly path: string; readonly keyPath: readonly (string | number)[] } {
  const { path, keyPath, scope, label } = source;
  const why = scope === "managed"
    ? "whoever manages this machine wrote it"
    : path === null || keyPath === undefined
    ? `${label} brings it, not a file of yours`
    : null;
  if (why === null && path !== null && keyPath !== undefined) return { path, keyPath };
  throw new HotplugError("edit-refused", `Cannot ${action} ${JSON.stringify(name)}: ${why}`, {
    hint: action === "enable"
      ? "Switch it on where it comes from"
      : `To keep it from running here: mcp disable ${shownName(name)}`,
  });
}

/**
 * Where an entry stands now: a list may have changed since it was read, so its item is looked for
 * by its name. `null` when it is gone.
 */
export function currentPath(
  root: JsonObject,
  keyPath: readonly (string | number)[],
  definition: Definition,
): readonly (string | number)[] | null {
  const parent = keyPath.slice(0, -1);
  const step = keyPath.at(-1);
  const holder = valueAt(root, parent);
  if (typeof step === "string") {
    return isJsonObject(holder) && Object.hasOwn(holder, step) ? keyPath : null;
  }
  const items = Array.isArray(holder) ? holder as readonly JsonValue[] : [];
  const nameKey = formatOf(definition)?.list ?? "name";
  const named = (item: JsonValue | undefined): boolean =>
    isJsonObject(item) && isNamed(item[nameKey], definition.name);
  if (step !== undefined && named(items[step])) return keyPath;
  const index = items.findIndex(named);
  return index < 0 ? null : [...parent, index];
}

/** Whether a name in a list is the one that is meant; white space around it does not count. */
export function isNamed(value: JsonValue | undefined, name: string): boolean {
  return typeof value === "string" && value.trim() === name;
}

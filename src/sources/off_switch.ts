import type { OffSwitch } from "../model/definition.ts";
import type { Scope } from "../model/source.ts";

/** A list of names by which a server is off. */
export interface OffList {
  /** Absolute path of its file. */
  readonly path: string;
  /** Whose file it is. */
  readonly scope: Scope;
  /** Keys that lead to the list. */
  readonly keyPath: readonly string[];
}

/**
 * What a list that holds these items does to a server.
 *
 * @param others Whether an item means other servers, too: no edit takes such a one out.
 */
export function offByList(
  place: OffList,
  items: readonly string[],
  others: boolean,
): OffSwitch {
  const { path, scope, keyPath } = place;
  const list = keyPath.join(".");
  const named = items.map((item) => `"${item}"`).join(" and ");
  const off = { list, path, remedy: remedyIn(place, `Take ${named} out of`) };
  if (others || scope === "managed") return off;
  return { ...off, undo: { kind: "items", scope, keyPath, items } };
}

/** What a list of all that may run does to a server that it does not name. */
export function offByAbsence(place: OffList, name: string): OffSwitch {
  const { path, keyPath } = place;
  const list = keyPath.join(".");
  return { list, path, remedy: remedyIn(place, `Add "${name}" to`) };
}

/** What is to be done in a list, or by whom. */
function remedyIn({ path, scope, keyPath }: OffList, what: string): string {
  const list = keyPath.join(".");
  return scope === "managed"
    ? `Ask whoever manages this machine: "${list}" in "${path}" is theirs`
    : `${what} "${list}" in "${path}"`;
}

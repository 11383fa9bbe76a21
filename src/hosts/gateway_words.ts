import type { JsonValue } from "../model/json.ts";
import { isJsonObject } from "../model/json.ts";

/** Name of the one entry that a host's file gets. */
export const ENTRY_NAME = "hotplug";

/** The arguments that make the program serve a kind of host. Pure. */
export function servingWords(kind: string): readonly string[] {
  return ["serve", "--for", kind];
}

/**
 * The kind of host that an entry in any host's words serves; `null` when it starts something else.
 * Pure.
 */
export function servedKind(entry: JsonValue | undefined): string | null {
  if (!isJsonObject(entry)) return null;
  const nested = isJsonObject(entry["transport"]) ? entry["transport"] : {};
  const words = [entry, nested].flatMap(({ command, cmd, args }) => [command, cmd, args].flat())
    .filter((word) => typeof word === "string");
  const at = words.findIndex((word, index) => word === "serve" && words[index + 1] === "--for");
  return at < 0 ? null : words[at + 2] ?? null;
}

import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { HostFormat } from "./host_format.ts";

/** One entry with the server's name that it stands for. */
export interface NamedEntry {
  /** The server's name; blank for an item of a list that has none. */
  readonly name: string;
  /** The entry as it stands in the file; an item of a list without its name. */
  readonly raw: JsonValue | undefined;
  /** Its key, or its position in a list. */
  readonly step: string | number;
}

/** The entries by the names that the format gives them; the last of equal names stays. */
export function namedEntries(
  entries: JsonObject | readonly JsonValue[],
  format: Pick<HostFormat, "nameOf" | "list">,
): { readonly entries: readonly NamedEntry[]; readonly dropped: readonly string[] } {
  const byName = new Map<string, NamedEntry>();
  const dropped: string[] = [];
  const all = isJsonObject(entries)
    ? Object.entries(entries).map(([step, raw]): NamedEntry => ({ name: step, raw, step }))
    : entries.map((item, step) => listedEntry(item, step, format.list ?? "name"));
  for (const entry of all) {
    const name = format.nameOf?.(entry.name, entry.step) ?? entry.name;
    if (name === "" && (format.nameOf !== undefined || typeof entry.step === "number")) {
      dropped.push("An entry without a name is left out");
      continue;
    }
    if (byName.has(name)) dropped.push(`Two entries are named "${name}"; the last one counts`);
    byName.set(name, { ...entry, name });
  }
  return { entries: [...byName.values()], dropped };
}

/** An item of a list, whose name stands under a key of its own. */
function listedEntry(item: JsonValue, step: number, key: string): NamedEntry {
  if (!isJsonObject(item)) return { name: "", raw: item, step };
  const { [key]: name, ...raw } = item;
  return { name: typeof name === "string" ? name.trim() : "", raw, step };
}

import { globMatches } from "../definitions/tool_filter.ts";
import type { Definition } from "../model/definition.ts";
import { type ConfigDocument, valueAt } from "./config_document.ts";
import type { NameSwitch } from "./host_format.ts";
import { nameList } from "./name_list.ts";
import { switchedOff } from "./server_entry.ts";
import type { SourceReading } from "./source.ts";

/** A list of names that stands in a file. */
export interface ListedNames {
  /** Whether the list means a server of this name. */
  readonly holds: (name: string) => boolean;
  /** What the list does to them; see {@linkcode NameSwitch}. */
  readonly means: NameSwitch["means"];
  /** The list, in words: its key and its file. */
  readonly where: string;
}

/** The lists of names in a file; a list that is missing switches nothing. */
export function listedSwitches(
  document: ConfigDocument,
  switches: readonly NameSwitch[],
): { readonly lists: readonly ListedNames[]; readonly warnings: readonly string[] } {
  const lists: ListedNames[] = [];
  const warnings: string[] = [];
  if (document.state !== "loaded") return { lists, warnings };
  for (const { path, means, match } of switches) {
    const key = path.join(".");
    const value = valueAt(document.root, path);
    const found = nameList(key, value);
    warnings.push(...found.warnings);
    if (!Array.isArray(value)) continue;
    const where = `"${key}" of "${document.path}"`;
    lists.push({ holds: matcher(found.names, match), means, where });
  }
  return { lists, warnings };
}

/** Tells which names a list means. */
function matcher(names: readonly string[], match: NameSwitch["match"]): ListedNames["holds"] {
  if (match === "glob") return (name) => names.some((glob) => globMatches(glob, name));
  const fold = (name: string): string => match === undefined ? name : name.toLowerCase();
  const set = new Set(names.map(fold));
  return (name) => set.has(fold(name));
}

/** A reading after lists of names: what is off in one of them is off, whatever another says. */
export function switched(reading: SourceReading, lists: readonly ListedNames[]): SourceReading {
  if (lists.length === 0) return reading;
  const definitions = reading.definitions.map((definition) => afterLists(definition, lists));
  return { ...reading, definitions };
}

function afterLists(definition: Definition, lists: readonly ListedNames[]): Definition {
  const { name, config } = definition;
  const off = lists.find(({ holds, means }) =>
    means === "off" ? holds(name) : means === "only" && !holds(name)
  );
  if (off !== undefined) return switchedOff(definition, off.where);
  const on = lists.some(({ holds, means }) => means === "on" && holds(name));
  if (!on || config.enabled !== false) return definition;
  return { ...definition, config: { ...config, enabled: true } };
}

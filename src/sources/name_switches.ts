import { globMatches } from "../definitions/tool_filter.ts";
import type { Definition, OffSwitch } from "../model/definition.ts";
import type { Scope } from "../model/source.ts";
import { type ConfigDocument, valueAt } from "./config_document.ts";
import type { NameSwitch } from "./host_format.ts";
import { nameList } from "./name_list.ts";
import { switchedOff, switchedOn } from "./server_entry.ts";
import { offByAbsence, offByList } from "./off_switch.ts";
import type { SourceReading } from "./source.ts";

/** A list of names that stands in a file. */
export interface ListedNames {
  /** The items of the list that mean a server of this name. */
  readonly itemsOf: (name: string) => readonly string[];
  /** Where it stands and what it does to them. */
  readonly rule: NameSwitch;
  /** Absolute path of its file. */
  readonly path: string;
  /** Whose file it is. */
  readonly scope: Scope;
}

/** The lists of names in a file; a list that is missing switches nothing. */
export function listedSwitches(
  document: ConfigDocument,
  scope: Scope,
  switches: readonly NameSwitch[],
): { readonly lists: readonly ListedNames[]; readonly warnings: readonly string[] } {
  const lists: ListedNames[] = [];
  const warnings: string[] = [];
  if (document.state !== "loaded") return { lists, warnings };
  for (const rule of switches) {
    const value = valueAt(document.root, rule.path);
    const found = nameList(rule.path.join("."), value);
    warnings.push(...found.warnings);
    if (!Array.isArray(value)) continue;
    const itemsOf = (name: string): readonly string[] =>
      found.names.filter((item) => means(item, name, rule.match));
    lists.push({ itemsOf, rule, path: document.path, scope });
  }
  return { lists, warnings };
}

/** Whether an item of a list means a server of this name. */
function means(item: string, name: string, match: NameSwitch["match"]): boolean {
  if (match === "glob") return globMatches(item, name);
  return match === undefined ? item === name : item.toLowerCase() === name.toLowerCase();
}

/** A reading after lists of names: what is off in one of them is off, whatever another says. */
export function switched(reading: SourceReading, lists: readonly ListedNames[]): SourceReading {
  if (lists.length === 0) return reading;
  const definitions = reading.definitions.map((definition) => afterLists(definition, lists));
  return { ...reading, definitions };
}

function afterLists(definition: Definition, lists: readonly ListedNames[]): Definition {
  const { name, config } = definition;
  const off = lists.flatMap((list) => offSwitch(list, name) ?? []);
  if (off.length > 0) return off.reduce(switchedOff, definition);
  const on = lists.some(({ itemsOf, rule }) => rule.means === "on" && itemsOf(name).length > 0);
  return on && config.enabled === false ? switchedOn(definition) : definition;
}

/** How a list switches a name off; `null` when it does not. */
function offSwitch({ itemsOf, rule, path, scope }: ListedNames, name: string): OffSwitch | null {
  const items = itemsOf(name);
  const place = { path, scope, keyPath: rule.path };
  if (rule.means === "only") return items.length === 0 ? offByAbsence(place, name) : null;
  if (rule.means === "on" || items.length === 0) return null;
  return offByList(place, items, rule.match === "glob" && items.some((item) => item !== name));
}

import { join } from "node:path";
import { kindOf } from "../definitions/entry_reader.ts";
import { closest } from "../definitions/suggestion.ts";
import type { JsonObject } from "../model/json.ts";
import type { SourceReport } from "../model/source.ts";
import { type ConfigDocument, readConfigDocument, valueAt } from "../sources/config_document.ts";
import { nameList } from "../sources/name_list.ts";
import { reporter, sideReport } from "../sources/reporter.ts";
import type { Source, SourceContext } from "../sources/source.ts";

/** What the user set for every workspace, in `settings.json`. */
export interface PlanSettings {
  /** Whether definitions of a repository count at all. Default `true`. */
  readonly enableProjectConfig: boolean;
  /** Whether servers of Exa are left to the host. Default `true`. */
  readonly filterExa: boolean;
  /** Whether files are watched while servers run; `null`: nothing is set. */
  readonly watch: boolean | null;
  /** Ids of the only sources to read; `null` reads all. */
  readonly onlySources: readonly string[] | null;
  /** Ids of sources that are not read; wins over `onlySources`. */
  readonly offSources: readonly string[];
}

/** The settings of a user who set nothing. */
export const DEFAULT_SETTINGS: PlanSettings = {
  enableProjectConfig: true,
  filterExa: true,
  watch: null,
  onlySources: null,
  offSources: [],
};

/** Settings that other parts read. */
const OTHER_KEYS = ["$schema", "naming", "hooks"];
const OWN_KEYS = ["enableProjectConfig", "filterExa", "watch", "sources"];

/** Settings, and what is to be said of their file. */
export interface SettingsReading {
  /** The settings; defaults for what is absent or wrong. */
  readonly settings: PlanSettings;
  /** What is to be said of the file. */
  readonly report: SourceReport;
  /** The file itself, for the parts that others read. */
  readonly document: ConfigDocument;
}

/** Path of the settings. */
export function settingsFile(context: Pick<SourceContext, "folders">): string {
  return join(context.folders.config, "settings.json");
}

/** Reads the settings. A bad file is a report and leaves the defaults; it stops nothing. */
export async function readSettings(
  context: SourceContext,
  sources: readonly Source[],
): Promise<SettingsReading> {
  const path = settingsFile(context);
  const format = { id: "settings", label: "Settings" };
  const document = await readConfigDocument(context, { path });
  if (document.state !== "loaded") {
    return { settings: DEFAULT_SETTINGS, report: sideReport(format, document, "user"), document };
  }
  const { settings, warnings } = parseSettings(document.root, sources.map(({ id }) => id));
  return { settings, report: sideReport(format, document, "user", { warnings }), document };
}

/** The sources that are to be read, and a report for each that is not. */
export function chosenSources(
  context: SourceContext,
  sources: readonly Source[],
  settings: PlanSettings,
): { readonly sources: readonly Source[]; readonly reports: readonly SourceReport[] } {
  const { onlySources, offSources } = settings;
  const isOn = ({ id }: Source): boolean =>
    !offSources.includes(id) && (onlySources === null || onlySources.includes(id));
  // The files of a source that is off are not looked at; the path is where it was switched off.
  const reports = sources.filter((source) => !isOn(source)).map((source) =>
    reporter(source, settingsFile(context), "user")({ state: "off" })
  );
  return { sources: sources.filter(isOn), reports };
}

/** The settings of a parsed file. Pure. */
export function parseSettings(
  root: JsonObject,
  knownSources: readonly string[],
): { readonly settings: PlanSettings; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  const flag = (key: "enableProjectConfig" | "filterExa" | "watch"): boolean | null => {
    const value = valueAt(root, [key]);
    if (typeof value === "boolean") return value;
    if (value !== undefined) {
      warnings.push(`"${key}" must be true or false, found ${kindOf(value)}; it is ignored`);
    }
    return null;
  };
  const sources = (key: "enabled" | "disabled"): readonly string[] | null => {
    const value = valueAt(root, ["sources", key]);
    if (value === undefined) return null;
    const list = nameList(`sources.${key}`, value);
    warnings.push(...list.warnings);
    for (const id of list.names) {
      if (knownSources.includes(id)) continue;
      warnings.push(`"sources.${key}" names "${id}", which is no source${guess(id, knownSources)}`);
    }
    return Array.isArray(value) ? list.names : null;
  };
  const settings: PlanSettings = {
    enableProjectConfig: flag("enableProjectConfig") ?? DEFAULT_SETTINGS.enableProjectConfig,
    filterExa: flag("filterExa") ?? DEFAULT_SETTINGS.filterExa,
    watch: flag("watch"),
    onlySources: sources("enabled"),
    offSources: sources("disabled") ?? [],
  };
  const known = [...OWN_KEYS, ...OTHER_KEYS];
  for (const key of Object.keys(root)) {
    if (!known.includes(key)) warnings.push(`"${key}" is no setting${guess(key, OWN_KEYS)}`);
  }
  return { settings, warnings };
}

/** The end of a message about an unknown word. */
function guess(word: string, known: readonly string[]): string {
  const near = closest(word, known);
  return near === null ? "; it is ignored" : `; did you mean "${near}"?`;
}

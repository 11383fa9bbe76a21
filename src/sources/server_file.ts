import type { JsoncDocument } from "../formats/jsonc.ts";
import type { Definition } from "../model/definition.ts";
import type { JsonObject } from "../model/json.ts";
import type { Scope, SourceReport } from "../model/source.ts";
import { type ConfigDocument, readConfigDocument } from "./config_document.ts";
import type { HostFormat } from "./host_format.ts";
import { reporter } from "./reporter.ts";
import { toDefinition } from "./server_entry.ts";
import { findServers } from "./servers_object.ts";
import type { SourceContext, SourceReading } from "./source.ts";

/** A file that holds servers. */
export interface ServerFile {
  /** Absolute path. */
  readonly path: string;
  /** Whose file it is. Files of scope `project` must belong to the user or to root. */
  readonly scope: Scope;
}

/** Reads the servers of one file. Never throws: what goes wrong stands in the report. */
export async function readServerFile(
  context: SourceContext,
  format: HostFormat,
  file: ServerFile,
): Promise<SourceReading> {
  const { path, scope } = file;
  const document = await readConfigDocument(context, { path, project: scope === "project" });
  return await readSection(context, format, { document, scope });
}

/** One object of servers in a file that was parsed already. */
export interface ServerSection {
  /** The file. */
  readonly document: ConfigDocument;
  /** Whose servers they are. */
  readonly scope: Scope;
  /** Where the object stands; the default is the format's key. */
  readonly key?: readonly string[];
}

/** Reads the servers of one section; gives exactly one report. */
export async function readSection(
  context: SourceContext,
  format: HostFormat,
  section: ServerSection,
): Promise<SourceReading> {
  const { document, scope } = section;
  const report = reporter(format, document.path, scope);
  if (document.state !== "loaded") {
    const { state, error, warnings } = document;
    return reading([], report({ state, error, warnings }));
  }
  const { root, path } = document;
  const key = section.key ?? format.key;
  const found = findServers(root, path, key, format);
  if (found.state !== "found") {
    const { state, error } = found;
    return reading([], report({ state, error, warnings: document.warnings }));
  }
  const duplicates = duplicateWarnings(document.document, key);
  const { entries, dropped } = namedEntries(found.entries, format);
  const definitions = await Promise.all(entries.map(({ name, entryKey }) => {
    const entry = {
      name,
      raw: found.entries[entryKey],
      path,
      scope,
      warnings: duplicates.entries.get(entryKey) ?? [],
    };
    const line = async (): Promise<number | null> =>
      (await document.document.placeOf([...key, entryKey]))?.line ?? null;
    return toDefinition(entry, format, line, context.lines);
  }));
  const state = definitions.length === 0 ? "empty" : "loaded";
  const warnings = [...document.warnings, ...found.warnings, ...duplicates.file, ...dropped];
  return reading(definitions, report({ state, warnings, servers: definitions.length }));
}

/** A reading of one path. */
function reading(definitions: readonly Definition[], report: SourceReport): SourceReading {
  return { definitions, reports: [report], switches: [] };
}

/** An entry's key in the file, and the server's name that it stands for. */
interface NamedEntry {
  readonly name: string;
  readonly entryKey: string;
}

/** The entries by the names that the format gives them; the last of equal names stays. */
function namedEntries(
  entries: JsonObject,
  format: HostFormat,
): { readonly entries: readonly NamedEntry[]; readonly dropped: readonly string[] } {
  const byName = new Map<string, NamedEntry>();
  const dropped: string[] = [];
  for (const entryKey of Object.keys(entries)) {
    const name = format.nameOf?.(entryKey) ?? entryKey;
    if (name === "" && format.nameOf !== undefined) {
      dropped.push("An entry without a name is left out");
      continue;
    }
    if (byName.has(name)) dropped.push(`Two entries are named "${name}"; the last one counts`);
    byName.set(name, { name, entryKey });
  }
  return { entries: [...byName.values()], dropped };
}

/** Warnings about keys that are written twice: those of entries, and those on the way there. */
function duplicateWarnings(
  document: JsoncDocument,
  key: readonly string[],
): { readonly file: readonly string[]; readonly entries: ReadonlyMap<string, readonly string[]> } {
  const file: string[] = [];
  const entries = new Map<string, string[]>();
  for (const { path, place } of document.duplicates) {
    const shared = Math.min(path.length, key.length);
    if (path.slice(0, shared).join("\0") !== key.slice(0, shared).join("\0")) continue;
    const shown = path.slice(path.length > key.length ? key.length : 0).join(".");
    const warning = `"${shown}" is written again at line ${place.line}; the last one counts`;
    const entryKey = path[key.length];
    if (entryKey === undefined) file.push(warning);
    else entries.set(entryKey, [...(entries.get(entryKey) ?? []), warning]);
  }
  return { file, entries };
}

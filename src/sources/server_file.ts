import type { Definition } from "../model/definition.ts";
import type { Scope, SourceReport } from "../model/source.ts";
import { type ConfigDocument, readConfigDocument } from "./config_document.ts";
import { duplicateWarnings } from "./duplicate_keys.ts";
import type { HostFormat } from "./host_format.ts";
import { namedEntries } from "./named_entries.ts";
import { reporter } from "./reporter.ts";
import { toDefinition } from "./server_entry.ts";
import { findServers, looksLikeServer } from "./servers_object.ts";
import type { SourceContext, SourceReading } from "./source.ts";

/** Where in a file servers stand, and what their relative paths stand against. */
export interface SectionPlace {
  /** Where the servers stand; the default is the format's key. */
  readonly key?: readonly string[];
  /** Absolute folder of relative paths; the default is what `SourceInfo.base` says. */
  readonly base?: string;
  /** `true`: a package that the host installed brings the file; it is not edited. Default `false`. */
  readonly readOnly?: boolean;
  /**
   * Name of the server that the file is when it holds the keys of one at its top level; absent: the
   * host reads no such file. It is not edited.
   */
  readonly alone?: string;
}

/** A file that holds servers. */
export interface ServerFile extends SectionPlace {
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
  return await readSection(context, format, { ...file, document });
}

/** One group of servers in a file that was parsed already. */
export interface ServerSection extends SectionPlace {
  /** The file. */
  readonly document: ConfigDocument;
  /** Whose servers they are. */
  readonly scope: Scope;
}

/** Reads the servers of one section; gives exactly one report. */
export async function readSection(
  context: SourceContext,
  format: HostFormat,
  section: ServerSection,
): Promise<SourceReading> {
  const { document, scope, base } = section;
  const report = reporter(format, document.path, scope);
  if (document.state !== "loaded") {
    const { state, error, warnings } = document;
    return reading([], report({ state, error, warnings }));
  }
  const { root, path } = document;
  const key = section.key ?? format.key;
  const alone = section.alone !== undefined && looksLikeServer(root) ? section.alone : null;
  const found = alone === null
    ? findServers(root, path, key, format)
    : { state: "found" as const, entries: { [alone]: root }, warnings: [] };
  if (found.state !== "found") {
    const { state, error } = found;
    return reading([], report({ state, error, warnings: document.warnings }));
  }
  const duplicates = duplicateWarnings(document.document, key);
  const { entries, dropped } = namedEntries(found.entries, format);
  const definitions = await Promise.all(entries.map(({ name, raw, step }) => {
    const keyPath = alone === null ? [...key, step] : [];
    const warnings = duplicates.entries.get(String(step)) ?? [];
    const entry = {
      name,
      raw,
      path,
      scope,
      warnings,
      ...(section.readOnly === true || alone !== null ? {} : { keyPath }),
      ...(base === undefined ? {} : { base }),
    };
    const line = async (): Promise<number | null> =>
      (await document.document.placeOf(keyPath))?.line ?? null;
    return toDefinition(entry, format, line, context.lines);
  }));
  const kept = definitions.filter((definition) => definition !== null);
  const state = kept.length === 0 ? "empty" : "loaded";
  const warnings = [...document.warnings, ...found.warnings, ...duplicates.file, ...dropped];
  return reading(kept, report({ state, warnings, servers: kept.length }));
}

/** A reading of one path. */
function reading(definitions: readonly Definition[], report: SourceReport): SourceReading {
  return { definitions, reports: [report], switches: [] };
}

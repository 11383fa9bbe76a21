import { normaliseConfig } from "../definitions/normalise.ts";
import { nameProblem } from "../definitions/server_name.ts";
import type { Definition } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import { isJsonObject, type JsonValue } from "../model/json.ts";
import type { Scope, SourceInfo } from "../model/source.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";

/** One entry of a file, as it stands there. */
export interface ServerEntry {
  /** Name of the server. */
  readonly name: string;
  /** What the file says about it. */
  readonly raw: JsonValue | undefined;
  /** Absolute path of the file. */
  readonly path: string;
  /** Whose file it is. */
  readonly scope: Scope;
  /** What is known to be odd about it already. */
  readonly warnings: readonly string[];
}

/**
 * Translates one entry, alone: whatever is wrong with it stands in its own `problems`, with file
 * and line.
 *
 * @param line Gives the line of the entry; asked for only when it is needed.
 * @param always Whether the line is needed though nothing is wrong.
 */
export async function toDefinition(
  entry: ServerEntry,
  format: HostFormat,
  line: () => Promise<number | null>,
  always: boolean,
): Promise<Definition> {
  const { name, raw, path, scope } = entry;
  const translated = translate(entry, format);
  const normal = normaliseConfig(name, isJsonObject(raw) ? translated.raw : raw, {
    ...(format.rename === undefined ? {} : { rename: format.rename }),
    ...(format.ignore === undefined ? {} : { ignore: format.ignore }),
  });
  const problems = unique([nameProblem(name), ...(translated.problems ?? []), ...normal.problems]);
  const place = always || problems.length > 0 ? await line() : null;
  const source: SourceInfo = {
    id: format.id,
    label: format.label,
    scope,
    path,
    line: place,
    rank: format.rank,
    dialect: format.dialect,
    // What a repository declares never sees the user's whole environment, whoever reads the file.
    environment: scope === "project" ? "safe" : format.environment,
    store: format.store ?? false,
  };
  return {
    name,
    config: normal.config,
    source,
    problems: problems.map((problem) => withPlace(problem, path, place)),
    warnings: [...entry.warnings, ...(translated.warnings ?? []), ...normal.warnings],
  };
}

/** The same definition, switched off by a list that its host keeps elsewhere. */
export function switchedOff(definition: Definition, by: string): Definition {
  return {
    ...definition,
    config: { ...definition.config, enabled: false },
    warnings: [...definition.warnings, `Switched off by ${by}`],
  };
}

/** The entry in canonical keys; as it stands for a format that needs no rewriting. */
function translate(entry: ServerEntry, format: HostFormat): TranslatedEntry {
  const { raw } = entry;
  if (!isJsonObject(raw)) return { raw: {} };
  return format.translate?.(raw) ?? { raw };
}

/** Problems without those that say the same as an earlier one. */
function unique(problems: readonly (ErrorInfo | null)[]): readonly ErrorInfo[] {
  const seen = new Map<string, ErrorInfo>();
  for (const problem of problems) {
    if (problem !== null && !seen.has(problem.message)) seen.set(problem.message, problem);
  }
  return [...seen.values()];
}

/** A problem whose message ends with where it stands, and which says where to correct it. */
function withPlace(problem: ErrorInfo, path: string, line: number | null): ErrorInfo {
  const place = line === null ? path : `${path}:${line}`;
  const hint = problem.hint ?? `Correct this entry in "${path}"`;
  return { ...problem, message: `${problem.message} (${place})`, hint };
}

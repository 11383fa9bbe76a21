import { normaliseConfig } from "../definitions/normalise.ts";
import { escapeLiteral } from "../definitions/placeholders.ts";
import { nameProblem } from "../definitions/server_name.ts";
import { transportProblems } from "../definitions/validate.ts";
import type { Definition, OffSwitch } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { Scope, SourceInfo } from "../model/source.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { isLiteral } from "./literal_keys.ts";

/** What is said about an entry without command and url. */
const INCOMPLETE: string = transportProblems({})[0]?.message ?? "";

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
  /** Keys and positions that lead to it in the file; absent when it is not to be edited. */
  readonly keyPath?: readonly (string | number)[];
  /** Absolute folder of relative paths, if not what the scope says. */
  readonly base?: string;
  /** What is known to be odd about it already. */
  readonly warnings: readonly string[];
}

/**
 * Translates one entry, alone: whatever is wrong with it stands in its own `problems`, with file
 * and line. `null` for an entry that describes no MCP server.
 *
 * @param line Gives the line of the entry; asked for only when it is needed.
 * @param always Whether the line is needed though nothing is wrong.
 */
export async function toDefinition(
  entry: ServerEntry,
  format: HostFormat,
  line: () => Promise<number | null>,
  always: boolean,
): Promise<Definition | null> {
  const { name, raw, path, scope, keyPath, base } = entry;
  const translated = translate(entry, format);
  if (translated.skip === true) return null;
  const normal = normaliseConfig(name, isJsonObject(raw) ? translated.raw : raw, {
    ...(format.rename === undefined ? {} : { rename: format.rename }),
    ...(format.ignore === undefined ? {} : { ignore: format.ignore }),
    ...(format.timeoutUnit === undefined ? {} : { timeoutUnit: format.timeoutUnit }),
  });
  const told = translated.problems ?? [];
  const problems = unique([
    nameProblem(name),
    ...told,
    // That nothing is there to start is no news where the translation said why.
    ...normal.problems.filter(({ message }) => told.length === 0 || message !== INCOMPLETE),
  ]);
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
    ...(keyPath === undefined ? {} : { keyPath }),
    ...(base === undefined ? {} : { base }),
  };
  const definition: Definition = {
    name,
    config: normal.config,
    source,
    problems: problems.map((problem) => withPlace(problem, path, place)),
    warnings: [...entry.warnings, ...(translated.warnings ?? []), ...normal.warnings],
  };
  const { switchedOffBy } = translated;
  return switchedOffBy === undefined ? definition : switchedOff(definition, switchedOffBy);
}

/** The same definition, switched off by something that its host keeps elsewhere. */
export function switchedOff(definition: Definition, by: OffSwitch): Definition {
  return {
    ...definition,
    config: { ...definition.config, enabled: false },
    switchedOffBy: [...definition.switchedOffBy ?? [], by],
  };
}

/** The same definition, switched on by the last word of its host. */
export function switchedOn(definition: Definition): Definition {
  const { switchedOffBy: _undone, ...rest } = definition;
  return { ...rest, config: { ...definition.config, enabled: true } };
}

/** The entry in canonical keys; as it stands for a format that needs no rewriting. */
function translate(entry: ServerEntry, format: HostFormat): TranslatedEntry {
  if (!isJsonObject(entry.raw)) return { raw: {} };
  const raw = literalTexts(entry.raw, (key) => isLiteral(key, format));
  return format.translate?.(raw, entry.name) ?? { raw };
}

/** An entry whose texts mean what they say, also where they look like placeholders. */
function literalTexts(
  raw: JsonObject,
  isPlain: (key: string) => boolean = () => true,
): JsonObject {
  return Object.fromEntries(
    Object.entries(raw).map(([key, value]) => [key, isPlain(key) ? literal(value) : value]),
  );
}

function literal(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value === "string") return escapeLiteral(value);
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((item) => literal(item) ?? null);
  }
  return isJsonObject(value) ? literalTexts(value) : value;
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

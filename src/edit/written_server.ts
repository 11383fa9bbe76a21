import { inputsOf } from "../definitions/config_reads.ts";
import { translateConfig } from "../definitions/placeholder_translation.ts";
import { validateServerConfig } from "../definitions/validate.ts";
import type { ServerConfig } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import type { JsonObject } from "../model/json.ts";
import type { HostFormat } from "../sources/host_format.ts";
import type { WrittenEntry } from "../sources/host_spelling.ts";
import { unsayable, writeEntry } from "../sources/written_entry.ts";
import type { NewServer } from "./new_server.ts";
import { secretFields } from "./secret_fields.ts";
import type { TargetFile } from "./target.ts";

/** A server as the target's file would hold it. */
export interface WrittenServer {
  /** What is written. */
  readonly server: NewServer;
  /** Its entry. */
  readonly raw: JsonObject;
  /** Whether its name belongs on the host's list of what is off. */
  readonly isListed: boolean;
  /** Why it cannot be written; `null` when it can. */
  readonly problem: ErrorInfo | null;
  /** What the user should know though it can. */
  readonly warnings: readonly string[];
  /** Ids of the values in it that only the user can give. */
  readonly inputs: readonly string[];
}

/** A server in the words of the target, or why it cannot be said in them. Pure. */
export function writtenServer(server: NewServer, { format, project }: TargetFile): WrittenServer {
  const { name, dialect, config } = server;
  const invalid = validateServerConfig(name, config);
  const translated = translateConfig(config, dialect, format.dialect);
  const entry = writtenFor(name, translated.config, format);
  const [problem = null] = [
    ...server.problems ?? [],
    ...invalid,
    ...translated.problems,
    ...entry.problems,
    ...offProblems(config, format),
  ];
  const warnings = [
    ...server.warnings ?? [],
    ...entry.warnings,
    ...(project === null ? [] : secretFields(config).map(inRepository)),
  ];
  const { type, ...untyped } = entry.raw;
  // Without a type both ways to reach it are tried, which the store can say and other hosts cannot.
  const isOpen = format.store === true && type !== undefined && config.type === undefined;
  const raw = isOpen ? untyped : entry.raw;
  const inputs = inputsOf(translated.config, format.dialect);
  return { server, raw, isListed: entry.isListed, problem, warnings, inputs };
}

/** A server that is off must not be on elsewhere for want of a word. */
function offProblems(
  { enabled }: ServerConfig,
  { label, spelling }: HostFormat,
): readonly ErrorInfo[] {
  if (enabled !== false || spelling === undefined) return [];
  const { off } = spelling;
  const isThere = off !== undefined && (off.kind !== "list" || off.file === undefined);
  if (isThere) return [];
  const { code, message } = unsayable(
    `it is off and would be on there, as ${label} has no switch in its file`,
  );
  return [{ code, message, hint: "Enable it first, or leave it out" }];
}

/**
 * The entry in the words of a host. One that hands only some variables on still starts most servers
 * of one that hands on all, so that this costs a word and not the server.
 */
function writtenFor(name: string, config: ServerConfig, format: HostFormat): WrittenEntry {
  const entry = writeEntry(name, config, format);
  const { inheritEnv, ...rest } = config;
  if (inheritEnv !== true || entry.problems.length === 0) return entry;
  const narrow = writeEntry(name, rest, format);
  if (narrow.problems.length === entry.problems.length) return entry;
  const warning = `"inheritEnv" is left out: ${format.label} never hands the whole environment on`;
  return { ...narrow, warnings: [...narrow.warnings, warning] };
}

/** Whoever gets the repository gets what is written into its files. */
function inRepository(field: string): string {
  return `"${field}" looks like a secret and stands in a file of the repository: ` +
    "write a variable such as ${TOKEN} in its place";
}

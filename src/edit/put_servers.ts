import { isDeepStrictEqual } from "node:util";
import { translateConfig } from "../definitions/placeholder_translation.ts";
import { validateServerConfig } from "../definitions/validate.ts";
import type { ValueChange } from "./file_edit.ts";
import type { ServerConfig } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import type { JsonObject } from "../model/json.ts";
import type { HostFormat } from "../sources/host_format.ts";
import type { WrittenEntry } from "../sources/host_spelling.ts";
import { writeEntry } from "../sources/written_entry.ts";
import { entriesIn } from "./file_entries.ts";
import { type EditedFile, runEdit } from "./file_edit.ts";
import { allNamesWith } from "./listed_names.ts";
import type { NewServer } from "./new_server.ts";
import { changedFiles, type EditedServer, type EditOutcome, refused } from "./outcome.ts";
import { secretFields } from "./secret_fields.ts";
import type { TargetFile } from "./target.ts";

/** How servers are written. */
export interface PutOptions {
  /** `true`: another entry of the name is replaced. Default `false`: it is left and reported. */
  readonly replace?: boolean | undefined;
  /** `true`: nothing is written. Default `false`. */
  readonly dryRun?: boolean | undefined;
  /** Ends the waiting for the file. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes servers into one file in the words of its host. Each is judged alone: one that cannot be
 * written, or whose name is taken, costs none of the others.
 *
 * @throws {HotplugError} When the file cannot be edited at all; see `runEdit`.
 */
export async function putServers(
  servers: readonly NewServer[],
  target: TargetFile,
  options: PutOptions = {},
): Promise<EditOutcome> {
  const written = servers.map((server) => ({ server, ...entryFor(server, target) }));
  let done: readonly EditedServer[] = [];
  const edited: EditedFile = await runEdit({
    path: target.path,
    project: target.project,
    changes: (root) => {
      const placed = place(written, target, root, options.replace === true);
      done = placed.results;
      return placed.changes;
    },
  }, {
    dryRun: options.dryRun === true,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  return { servers: done, files: changedFiles([edited]) };
}

/** An entry as the target's file would hold it. */
interface Written {
  readonly server: NewServer;
  readonly raw: JsonObject;
  /** Whether its name belongs on the host's list of what is off. */
  readonly isListed: boolean;
  readonly problem: ErrorInfo | null;
  readonly warnings: readonly string[];
}

/** A server in the words of the target, or why it cannot be said in them. */
function entryFor(server: NewServer, { format, project }: TargetFile): Omit<Written, "server"> {
  const { name, dialect, config } = server;
  const invalid = validateServerConfig(name, config);
  const translated = translateConfig(config, dialect, format.dialect);
  const entry = writtenFor(name, translated.config, format);
  const [problem = null] = [
    ...server.problems ?? [],
    ...invalid,
    ...translated.problems,
    ...entry.problems,
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
  return { raw, isListed: entry.isListed, problem, warnings };
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

/** What is to be changed, and what becomes of each server, given what the file holds. */
interface Placed {
  readonly results: readonly EditedServer[];
  readonly changes: readonly ValueChange[];
}

function place(
  written: readonly Written[],
  target: TargetFile,
  root: JsonObject,
  replace: boolean,
): Placed {
  const { path, key, offList } = target;
  const there = entriesIn(root, target);
  const changes: ValueChange[] = [];
  const appended: JsonObject[] = [];
  const taken = new Set<string>();
  const isOnThere = (name: string): boolean =>
    offList !== null && allNamesWith(root, offList, [name]).length > 0;
  const results = written.map((one): EditedServer => {
    const { server: { name }, raw, isListed, problem, warnings } = one;
    if (problem !== null) return refused(name, path, problem);
    const old = there.find(name);
    if (taken.has(name)) return refused(name, path, nameTaken(name, path));
    const isSame = isDeepStrictEqual(old?.value, there.written(name, raw));
    if (isSame && !(isListed && isOnThere(name))) {
      return { name, done: "unchanged", path, error: null, warnings };
    }
    if (old !== null && !replace) return refused(name, path, nameTaken(name, path));
    taken.add(name);
    const value = there.written(name, raw);
    if (old === null && there.isList) appended.push(value);
    else changes.push({ path: [...key, old?.step ?? name], value });
    return { name, done: old === null ? "added" : "replaced", path, error: null, warnings };
  });
  const off = written.filter(({ server, isListed }) => isListed && taken.has(server.name))
    .map(({ server }) => server.name);
  const listed = offList === null ? [] : allNamesWith(root, offList, off);
  return { results, changes: [...changes, ...there.append(appended), ...listed] };
}

function nameTaken(name: string, path: string): ErrorInfo {
  return {
    code: "edit-refused",
    message: `Cannot add ${JSON.stringify(name)}: "${path}" holds another server of this name`,
    hint: "To replace it, use --replace; else choose another name",
  };
}

import { isDeepStrictEqual } from "node:util";
import type { ErrorInfo } from "../model/errors.ts";
import type { JsonObject } from "../model/json.ts";
import { newNameProblem } from "./new_name.ts";
import { entriesIn } from "./file_entries.ts";
import { type EditedFile, runEdit, type ValueChange } from "./file_edit.ts";
import { allNamesWith, listWith } from "./listed_names.ts";
import type { NewServer } from "./new_server.ts";
import { changedFiles, type EditedServer, type EditOutcome, refused } from "./outcome.ts";
import type { TargetFile } from "./target.ts";
import { asksForInputs, inputChanges } from "./vscode_inputs.ts";
import { type WrittenServer, writtenServer } from "./written_server.ts";

/** How servers are written. */
export interface PutOptions {
  /** `true`: another entry of the name is replaced. Default `false`: it is left and reported. */
  readonly replace?: boolean | undefined;
  /** `true`: a new name may be any that a file can hold, as it comes from one. Default `false`. */
  readonly anyName?: boolean | undefined;
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
  const written = servers.map((server) => writtenServer(server, target));
  let done: readonly EditedServer[] = [];
  const edited: EditedFile = await runEdit({
    path: target.path,
    project: target.project,
    changes: (root) => {
      const placed = place(written, target, root, options);
      done = placed.results;
      return placed.changes;
    },
  }, {
    dryRun: options.dryRun === true,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  return { servers: done, files: changedFiles([edited]) };
}

/** What is to be changed, and what becomes of each server, given what the file holds. */
interface Placed {
  readonly results: readonly EditedServer[];
  readonly changes: readonly ValueChange[];
}

function place(
  written: readonly WrittenServer[],
  target: TargetFile,
  root: JsonObject,
  { replace = false, anyName = false }: PutOptions,
): Placed {
  const { path, key, offList } = target;
  const there = entriesIn(root, target);
  const changes: ValueChange[] = [];
  const appended: JsonObject[] = [];
  const taken = new Set<string>();
  const isListedThere = (name: string): boolean =>
    offList !== null && allNamesWith(root, offList, [name]).length === 0;
  const results = written.map((one): EditedServer => {
    const { server: { name, config }, raw, isListed, problem, warnings } = one;
    if (problem !== null) return refused(name, path, problem);
    const old = there.find(name);
    if (taken.has(name)) return refused(name, path, nameTaken(name, path));
    const isOff = isListedThere(name);
    // Whoever replaces it wants the server as it is given, and so on when it is on.
    const isListRight = isListed ? isOff : !(isOff && replace && config.enabled !== false);
    if (isDeepStrictEqual(old?.value, there.written(name, raw)) && isListRight) {
      return { name, done: "unchanged", path, error: null, warnings };
    }
    if (old !== null && !replace) return refused(name, path, nameTaken(name, path));
    const badName = old !== null || anyName ? null : newNameProblem(name);
    if (badName !== null) return refused(name, path, badName);
    taken.add(name);
    const value = there.written(name, raw);
    if (old === null && there.isList) appended.push(value);
    else changes.push({ path: [...key, old?.step ?? name], value });
    const isKeptOff = isOff && !isListed && !replace;
    return {
      name,
      done: old === null ? "added" : "replaced",
      path,
      error: null,
      warnings: isKeptOff ? [...warnings, keptOff(offList ?? [])] : warnings,
    };
  });
  const put = written.filter(({ server }) => taken.has(server.name));
  const namesOf = (some: readonly WrittenServer[]): readonly string[] =>
    some.map(({ server }) => server.name);
  const listed = offList === null ? [] : listWith(root, offList, {
    added: namesOf(put.filter(({ isListed }) => isListed)),
    removed: replace
      ? namesOf(put.filter(({ isListed, server }) => !isListed && server.config.enabled !== false))
      : [],
  });
  const inputs = asksForInputs(target)
    ? inputChanges(
      root,
      target,
      put.flatMap((one) => one.inputs),
      put.flatMap(({ server }) => server.inputs ?? []),
    )
    : [];
  return { results, changes: [...changes, ...there.append(appended), ...listed, ...inputs] };
}

function keptOff(list: readonly string[]): string {
  return `It stays off: "${list.join(".")}" of this file holds its name, from which --replace ` +
    "takes it";
}

function nameTaken(name: string, path: string): ErrorInfo {
  return {
    code: "edit-refused",
    message: `Cannot add ${JSON.stringify(name)}: "${path}" holds another server of this name`,
    hint: "To replace it, use --replace; else choose another name",
  };
}

import { isDeepStrictEqual } from "node:util";
import { translateConfig } from "../definitions/placeholder_translation.ts";
import { validateServerConfig } from "../definitions/validate.ts";
import type { ValueChange } from "./file_edit.ts";
import type { ErrorInfo } from "../model/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import { valueAt } from "../sources/config_document.ts";
import { writeEntry } from "../sources/written_entry.ts";
import { type EditedFile, runEdit } from "./file_edit.ts";
import type { NewServer } from "./new_server.ts";
import { changedFiles, type EditedServer, type EditOutcome, refused } from "./outcome.ts";
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
      done = placed.map(({ result }) => result);
      return placed.flatMap(({ change }) => change ?? []);
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
  readonly problem: ErrorInfo | null;
  readonly warnings: readonly string[];
}

/** A server in the words of the target, or why it cannot be said in them. */
function entryFor(server: NewServer, { format }: TargetFile): Omit<Written, "server"> {
  const { name, dialect } = server;
  const invalid = validateServerConfig(name, server.config);
  const translated = translateConfig(server.config, dialect, format.dialect);
  const entry = writeEntry(name, translated.config, format);
  const [problem = null] = [...invalid, ...translated.problems, ...entry.problems];
  return { raw: entry.raw, problem, warnings: [...server.warnings ?? [], ...entry.warnings] };
}

/** What is to be changed for each server, given what the file holds. */
function place(
  written: readonly Written[],
  target: TargetFile,
  root: JsonObject,
  replace: boolean,
): readonly { readonly result: EditedServer; readonly change: ValueChange | null }[] {
  const { path, key, format: { list } } = target;
  const found = valueAt(root, key);
  const items = Array.isArray(found) ? found as readonly JsonValue[] : [];
  let added = 0;
  return written.map(({ server: { name }, raw, problem, warnings }) => {
    if (problem !== null) return { result: refused(name, path, problem), change: null };
    const value: JsonObject = list === undefined ? raw : { [list]: name, ...raw };
    const index = items.findIndex((item) => isJsonObject(item) && item[list ?? "name"] === name);
    const old = list === undefined ? ownEntry(found, name) : items[index];
    if (isDeepStrictEqual(old, value)) {
      const result: EditedServer = { name, done: "unchanged", path, error: null, warnings };
      return { result, change: null };
    }
    if (old !== undefined && !replace) {
      return { result: refused(name, path, nameTaken(name, path)), change: null };
    }
    const step = list === undefined ? name : old === undefined ? items.length + added++ : index;
    const done = old === undefined ? "added" : "replaced";
    return {
      result: { name, done, path, error: null, warnings },
      change: { path: [...key, step], value },
    };
  });
}

/** The entry of a name; names such as `__proto__` are like any other. */
function ownEntry(found: unknown, name: string): JsonValue | undefined {
  return isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
}

function nameTaken(name: string, path: string): ErrorInfo {
  return {
    code: "edit-refused",
    message: `Cannot add ${JSON.stringify(name)}: "${path}" holds another server of this name`,
    hint: "To replace it, use --replace; else choose another name",
  };
}

import { join } from "node:path";
import { namesIn, realPathOf } from "../platform/local_files.ts";
import { foldersUpTo } from "../platform/workspace.ts";
import type { SourceContext } from "./source.ts";

/**
 * The folders in which project files are looked for: from the current folder up to the workspace
 * root, nearest first. A current folder that was reached by a link has two ways up, by the link's
 * parents and by its own; both are taken, and no folder comes twice.
 */
export function projectFolders(context: SourceContext): readonly string[] {
  const known = FOLDERS.get(context);
  if (known !== undefined) return known;
  const folders = foldersOf(context);
  FOLDERS.set(context, folders);
  return folders;
}

/** What was found for a context: every source asks for the same. */
const FOLDERS = new WeakMap<SourceContext, readonly string[]>();

function foldersOf({ machine, workspacePath }: SourceContext): readonly string[] {
  const realCwd = realPathOf(machine.cwd);
  const named = below(machine.cwd, workspacePath);
  if (realCwd === machine.cwd) return [...named, workspacePath];
  const known = new Set(named.map(realPathOf));
  const real = below(realCwd, realPathOf(workspacePath)).filter((folder) => !known.has(folder));
  return [...named, ...real, workspacePath];
}

/** A place where a project file may stand. */
export interface ProjectPlace {
  /** Absolute path of the file. */
  readonly path: string;
  /** The folder that it was looked for in, against which its relative paths stand. */
  readonly folder: string;
}

/** Places at which a project file of this name may stand, nearest first. */
export function projectPlaces(context: SourceContext, name: string): readonly ProjectPlace[] {
  return projectFolders(context)
    .map((folder) => ({ path: join(folder, name), folder }))
    .filter(({ path }) => context.userFiles?.has(path) !== true);
}

/** The names in a folder, in order; most of the folders that are asked for are not there. */
export function namesAt(
  context: Pick<SourceContext, "isAbsent">,
  folder: string,
): readonly string[] {
  return context.isAbsent?.(folder) === true ? [] : namesIn(folder);
}

/** The folders from `cwd` up to `root`, without `root`. */
function below(cwd: string, root: string): readonly string[] {
  return foldersUpTo(cwd, root).slice(0, -1);
}

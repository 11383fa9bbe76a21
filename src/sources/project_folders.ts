import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { foldersUpTo } from "../platform/workspace.ts";
import type { SourceContext } from "./source.ts";

/**
 * The folders in which project files are looked for: from the current folder up to the workspace
 * root, nearest first. A current folder that was reached by a link has two ways up, by the link's
 * parents and by its own; both are taken, and no folder comes twice.
 */
export async function projectFolders(context: SourceContext): Promise<readonly string[]> {
  const { machine, workspacePath } = context;
  const [realCwd, realRoot] = await Promise.all([
    realPath(machine.cwd),
    realPath(workspacePath),
  ]);
  const named = below(machine.cwd, workspacePath);
  if (realCwd === machine.cwd) return [...named, workspacePath];
  const known = new Set(await Promise.all(named.map(realPath)));
  const real = below(realCwd, realRoot).filter((folder) => !known.has(folder));
  return [...named, ...real, workspacePath];
}

/** Paths at which a project file of this name may stand, nearest first. */
export async function projectFiles(
  context: SourceContext,
  name: string,
): Promise<readonly string[]> {
  const folders = await projectFolders(context);
  return folders
    .map((folder) => join(folder, name))
    .filter((path) => context.userFiles?.has(path) !== true);
}

/** The folders from `cwd` up to `root`, without `root`. */
function below(cwd: string, root: string): readonly string[] {
  return foldersUpTo(cwd, root).slice(0, -1);
}

/** The path without links; the path itself when it cannot be told. */
export function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

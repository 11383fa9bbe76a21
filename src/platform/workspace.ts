import { dirname, isAbsolute, parse, relative, resolve, sep } from "node:path";
import { factsOf, realPathOf } from "./local_files.ts";

/**
 * The root of the workspace around a folder: the nearest folder upward that holds `.git`, a folder
 * or, in a worktree or submodule, a file. Without one it is the folder itself.
 *
 * The home folder and everything above it never count for a folder below: a repository of dotfiles
 * must not make one workspace of all that a user has. (For `cwd` = home the answer is home with
 * and without a repository.) The parents are those of the path as it is written; only when these
 * know no repository, and `cwd` was reached by a symlink, the real path is walked.
 *
 * @param cwd Absolute path of the folder to start from; it need not exist.
 * @param home Absolute path of the home folder.
 */
export function findWorkspace(cwd: string, home: string): string {
  const start = resolve(cwd);
  const realStart = realPathOf(start);
  const homes = [resolve(home), realPathOf(resolve(home))];
  const root = nearestRepository(start, homes);
  if (root !== null || realStart === start) return root ?? start;
  return nearestRepository(realStart, homes) ?? start;
}

/**
 * The folders from `cwd` up to `root`, `cwd` first and `root` last. When `root` is not above `cwd`
 * as written but above its real path, the real path is walked; when it is above neither, these are
 * just the two.
 */
export function foldersUpTo(cwd: string, root: string): string[] {
  const [start, end] = [resolve(cwd), resolve(root)];
  if (isInside(start, end)) return walk(start, end);
  const real = realPathOf(start);
  return isInside(real, end) ? [start, ...walk(real, end).slice(1)] : [start, end];
}

/** The nearest repository of a folder that lies below all homes, or `null`. */
function nearestRepository(start: string, homes: readonly string[]): string | null {
  const holdsHome = (folder: string): boolean => homes.some((home) => isInside(home, folder));
  for (const folder of walk(start, parse(start).root)) {
    if (holdsHome(folder)) return null;
    // The home folder may have been come by through a link of another name.
    if (holdsRepository(folder)) return holdsHome(realPathOf(folder)) ? null : folder;
  }
  return null;
}

/** Whether a folder holds `.git`; a loop of links or a closed folder does not. */
function holdsRepository(folder: string): boolean {
  const entry = factsOf(resolve(folder, ".git"));
  return entry !== null && (entry.isDirectory() || entry.isFile());
}

/** The folders from `start` up to its ancestor `end`, both included. */
function walk(start: string, end: string): string[] {
  const folders = [start];
  let folder = start;
  while (relative(folder, end) !== "" && dirname(folder) !== folder) {
    folder = dirname(folder);
    folders.push(folder);
  }
  return folders;
}

/** Whether a path is a folder or lies in it; by name only. */
function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

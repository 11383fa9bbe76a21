import { realpathSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, parse, relative, resolve, sep } from "node:path";

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
export async function findWorkspace(cwd: string, home: string): Promise<string> {
  const start = resolve(cwd);
  const [realStart, realHome] = await Promise.all([realPath(start), realPath(home)]);
  const homes = [resolve(home), realHome];
  const root = await nearestRepository(start, homes);
  if (root !== null || realStart === start) return root ?? start;
  return await nearestRepository(realStart, homes) ?? start;
}

/**
 * The folders from `cwd` up to `root`, `cwd` first and `root` last. When `root` is not above `cwd`
 * as written but above its real path, the real path is walked; when it is above neither, these are
 * just the two.
 */
export function foldersUpTo(cwd: string, root: string): string[] {
  const [start, end] = [resolve(cwd), resolve(root)];
  if (isInside(start, end)) return walk(start, end);
  let real = start;
  try {
    real = realpathSync(start);
  } catch {
    // A folder that is not there has no other path.
  }
  return isInside(real, end) ? [start, ...walk(real, end).slice(1)] : [start, end];
}

/** The nearest repository of a folder that lies below all homes, or `null`. */
async function nearestRepository(start: string, homes: readonly string[]): Promise<string | null> {
  const holdsHome = (folder: string): boolean => homes.some((home) => isInside(home, folder));
  for (const folder of walk(start, parse(start).root)) {
    if (holdsHome(folder)) return null;
    // The home folder may have been come by through a link of another name.
    if (await holdsRepository(folder)) return holdsHome(await realPath(folder)) ? null : folder;
  }
  return null;
}

/** Whether a folder holds `.git`; a loop of links or a closed folder does not. */
async function holdsRepository(folder: string): Promise<boolean> {
  try {
    const entry = await stat(resolve(folder, ".git"));
    return entry.isDirectory() || entry.isFile();
  } catch {
    return false;
  }
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

/** The path without links, or the path itself when it does not exist. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return resolve(path);
  }
}

import { readFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { factsOf, realPathOf } from "../platform/local_files.ts";
import { readTextNow } from "../platform/text_file.ts";
import { type GitIndex, parseGitIndex } from "./git_index.ts";

/** The largest index that is read, in bytes: that of half a million files. */
const MAX_INDEX_BYTES = 64 * 1024 * 1024;

/** What git does with a file; `unknown`: its index cannot be read. */
export type Tracking = "tracked" | "untracked" | "no-repository" | "unknown";

/**
 * What git does with some files, by reading git's own index. Git itself is not run: its config
 * belongs to the repository, which may name programs in it (`core.fsmonitor`, the transport of a
 * promisor remote) that even a mere listing starts.
 * @param paths Absolute paths.
 */
export function gitTracking(paths: readonly string[]): ReadonlyMap<string, Tracking> {
  const result = new Map<string, Tracking>();
  const byRoot = new Map<string, Map<string, string>>();
  for (const path of new Set(paths)) {
    // By its real folder, as git knows it; the file itself may be a link that git tracks.
    const file = join(realPathOf(dirname(path)), basename(path));
    const root = rootOf(dirname(file));
    if (root === null) {
      result.set(path, "no-repository");
      continue;
    }
    const names = byRoot.get(root) ?? new Map<string, string>();
    names.set(path, relative(root, file).split(sep).join("/"));
    byRoot.set(root, names);
  }
  for (const [root, names] of byRoot) {
    const tracked = trackedIn(root, new Set(names.values()));
    for (const [path, name] of names) {
      result.set(path, tracked === null ? "unknown" : tracked.has(name) ? "tracked" : "untracked");
    }
  }
  return result;
}

/** The work tree that a folder lies in; `null` when it lies in none. */
function rootOf(folder: string): string | null {
  const found = factsOf(join(folder, ".git"));
  if (found?.isDirectory() === true || found?.isFile() === true) return folder;
  const above = dirname(folder);
  return above === folder ? null : rootOf(above);
}

/** Those of some paths that an index lists, or the one that it shares; `null` when not known. */
function trackedIn(root: string, wanted: ReadonlySet<string>): ReadonlySet<string> | null {
  const folder = gitFolder(root);
  if (folder === null) return null;
  const path = join(folder, "index");
  // None before the first file is added.
  if (factsOf(path) === null) return new Set();
  const hashBytes = usesSha256(folder) ? 32 : 20;
  const index = readIndex(path, wanted, hashBytes);
  if (index === null || index.shared === null) return index?.listed ?? null;
  const shared = readIndex(join(folder, `sharedindex.${index.shared}`), wanted, hashBytes);
  return shared === null ? null : new Set([...index.listed, ...shared.listed]);
}

function readIndex(
  path: string,
  wanted: ReadonlySet<string>,
  hashBytes: 20 | 32,
): GitIndex | null {
  const found = factsOf(path);
  if (found?.isFile() !== true || found.size > MAX_INDEX_BYTES) return null;
  try {
    return parseGitIndex(readFileSync(path), wanted, hashBytes);
  } catch {
    return null;
  }
}

/** The folder of git's own files: `.git`, or what a file of that name leads to. */
function gitFolder(root: string): string | null {
  const path = join(root, ".git");
  if (factsOf(path)?.isDirectory() === true) return path;
  const written = /^gitdir:[ \t]*(.+?)\s*$/m.exec(textOf(path))?.[1];
  // A path of the network is not touched: a repository could send us anywhere.
  if (written === undefined || /^[/\\]{2}/.test(written)) return null;
  return isAbsolute(written) ? written : resolve(root, written);
}

/** Whether a repository's hashes have 32 bytes; a worktree's config is that of its main checkout. */
function usesSha256(folder: string): boolean {
  const common = textOf(join(folder, "commondir")).trim();
  const main = common === "" || /^[/\\]{2}/.test(common) ? folder : resolve(folder, common);
  return /^\s*objectformat\s*=\s*"?sha256\b/im.test(textOf(join(main, "config")));
}

/** A small file's text; nothing when it cannot be read. */
function textOf(path: string): string {
  const file = readTextNow(path, { maxBytes: 1024 * 1024 });
  return file.state === "loaded" ? file.text : "";
}

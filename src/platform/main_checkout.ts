import { join, resolve } from "node:path";
import { factsOf, realPathOf } from "./local_files.ts";
import { readTextNow } from "./text_file.ts";

/** The folder of git's that belongs to a worktree: `<main>/.git/worktrees/<name>`. */
const WORKTREE = /^(.+)[\\/]\.git[\\/]worktrees[\\/][^\\/]+$/;

/**
 * The root of the checkout that a git worktree was made from; `null` for any other folder. A folder
 * is taken for a worktree only when git's own record of it points back, so that a file named
 * `.git` in a repository cannot pass it off as another one's.
 *
 * @param root Absolute path of the worktree's root.
 */
export function mainCheckout(root: string): string | null {
  const link = join(root, ".git");
  if (factsOf(link)?.isFile() !== true) return null;
  const written = /^gitdir:[ \t]*(.+?)\s*$/m.exec(textOf(link))?.[1];
  if (written === undefined) return null;
  const record = resolve(root, written);
  const main = WORKTREE.exec(record)?.[1];
  if (main === undefined) return null;
  const back = textOf(join(record, "gitdir")).trim();
  if (back === "") return null;
  return realPathOf(resolve(record, back)) === realPathOf(link) ? main : null;
}

/** A file's text; nothing when it cannot be read. */
function textOf(path: string): string {
  const file = readTextNow(path, { maxBytes: 4096 });
  return file.state === "loaded" ? file.text : "";
}

import { delimiter, isAbsolute, relative, sep } from "node:path";
import { serverEnvironment } from "../definitions/environment.ts";
import type { HookProgram } from "../model/hook_program.ts";
import type { Machine } from "../model/machine.ts";
import { realPathOf } from "../platform/local_files.ts";

/**
 * The environment of a hook's program. A user's own programs inherit all that the user has, those of
 * a repository no more than its servers.
 *
 * The search path of a user's program passes the workspace over: package runners put folders of it
 * in front, and a repository must not put its own program in the place of one that has a say.
 */
export function hookEnvironment(
  { scope, env }: Pick<HookProgram, "scope" | "env">,
  machine: Machine,
  workspacePath: string | null,
): Readonly<Record<string, string>> {
  const isUsers = scope === "user";
  const all = serverEnvironment(isUsers ? "all" : "safe", { env, headers: {} }, machine.env);
  if (!isUsers || workspacePath === null) return all;
  const workspace = realPathOf(workspacePath);
  // A workspace that holds the home folder is the machine, and no checkout.
  if (isIn(realPathOf(machine.home), workspace)) return all;
  const isOutside = (entry: string): boolean =>
    !isAbsolute(entry) || (!isIn(entry, workspacePath) && !isIn(realPathOf(entry), workspace));
  return Object.fromEntries(
    Object.entries(all).map(([name, value]) =>
      // What the hook's own entry says is the user's word.
      name.toUpperCase() === "PATH" && env[name] === undefined
        ? [name, value.split(delimiter).filter(isOutside).join(delimiter)]
        : [name, value]
    ),
  );
}

/** Whether a path is a folder or lies in it. */
function isIn(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

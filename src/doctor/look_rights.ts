import { dirname } from "node:path";
import { factsOf, realPathOf } from "../platform/local_files.ts";
import type { RightsFacts } from "./file_rights.ts";

/** Looks at the rights of a config file; `null` when there is none. Not for Windows. */
export function lookAtRights(
  path: string,
  about: { readonly project: boolean; readonly secret: boolean },
): RightsFacts | null {
  const found = factsOf(path);
  if (found?.isFile() !== true) return null;
  const { mode, uid, gid } = found;
  return { path, mode, uid, gid, reachable: isReachable(dirname(realPathOf(path))), ...about };
}

/** Whether a folder and all above it let everybody through. */
function isReachable(folder: string): boolean {
  const found = factsOf(folder);
  if (found === null || (found.mode & 0o001) === 0) return false;
  const above = dirname(folder);
  return above === folder || isReachable(above);
}

import { isAbsolute, resolve } from "node:path";

/**
 * A relative path as an absolute one below a folder. What begins with `~` or with a placeholder of
 * any agent's stays as it is. Pure.
 */
export function anchoredPath(path: string, folder: string): string {
  return isAbsolute(path) || /^(?:~|[!$%{])/.test(path) ? path : resolve(folder, path);
}

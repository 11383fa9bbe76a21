import { isAbsolute, relative, sep } from "node:path";

/**
 * Tells whether a path is a folder or lies in it, by the text of both alone: links are the
 * caller's to resolve.
 *
 * @param caseless Whether the file system may hold upper and lower case for the same.
 */
export function liesIn(path: string, folder: string, caseless = false): boolean {
  const way = caseless
    ? relative(folder.toLowerCase(), path.toLowerCase())
    : relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

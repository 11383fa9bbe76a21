import { readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { noteLook } from "./looks.ts";

/**
 * A look at what is at a path, links followed; `null` when there is nothing or it cannot be told.
 *
 * Here and where configs are read the disk is asked synchronously: a start looks at some sixty
 * paths, each of which takes 0.03 ms that way and 0.2 ms by a promise, and the first promise takes
 * several. Whatever is written or may wait for others is asynchronous.
 */
export function factsOf(path: string): Stats | null {
  const found = statOf(path);
  noteLook({ how: "stat", path, found });
  return found;
}

function statOf(path: string): Stats | null {
  try {
    // Most paths that are looked at are absent; an error for each would cost more than the look.
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** A path without links, or the path itself when it cannot be resolved. */
export function realPathOf(path: string): string {
  return resolvedPath(path) ?? path;
}

/** A path without links; `null` when it cannot be resolved. */
export function resolvedPath(path: string): string | null {
  let found: string | null = null;
  try {
    found = realpathSync(path);
  } catch {
    // Absent, closed, or a loop of links.
  }
  noteLook({ how: "real", path, found });
  return found;
}

/** The names in a folder, in order; none when it is absent or cannot be listed. */
export function namesIn(path: string): readonly string[] {
  const found = listedNames(path);
  noteLook({ how: "list", path, found });
  return found === null || found === "" ? [] : found.split("/");
}

/** The names in a folder in order, joined by what no name holds; `null` when it cannot be listed. */
export function listedNames(path: string): string | null {
  try {
    // Most folders that are asked for are absent; an error for each would cost more than the look.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return null;
    return readdirSync(path).sort().join("/");
  } catch {
    return null;
  }
}

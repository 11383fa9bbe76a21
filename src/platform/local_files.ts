import { realpathSync, type Stats, statSync } from "node:fs";
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

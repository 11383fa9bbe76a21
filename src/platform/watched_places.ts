import { readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";

/** A path that is to be watched, there or not. */
export interface WatchedPath {
  /** Absolute path. */
  readonly path: string;
  /** Whether the names in it matter too, as in a folder whose files are read each for itself. */
  readonly isFolder?: boolean;
}

/** A folder that is there, and a name in it whose changes matter; `null`: every name. */
export interface WatchedPlace {
  /** Absolute path. */
  readonly folder: string;
  /** The name. */
  readonly name: string | null;
}

/** How many links in a row are followed; more than that, or a loop, no program opens. */
const MAX_LINKS = 16;

/**
 * The folders to watch for a path. Never the file itself: editors put another in its place. Of a
 * path that is not there it is the nearest folder that is; of a link also the folders that it
 * leads through; and always the folder above, which tells when the folder itself is exchanged.
 * Looks at the disk.
 */
export function placesOf({ path, isFolder = false }: WatchedPath): readonly WatchedPlace[] {
  const places: WatchedPlace[] = [];
  let current = path;
  for (let links = 0; links < MAX_LINKS; links++) {
    places.push(...anchors(current));
    const target = linkAt(current);
    if (target === null) break;
    current = resolve(dirname(current), target);
  }
  if (isFolder && isFolderAt(path)) places.push({ folder: path, name: null });
  return places;
}

/** What is at a path, as a text that differs when something else is; `null` for nothing. */
export function identityOf(path: string): string | null {
  const found = factsAt(path);
  return found === null ? null : `${found.dev}:${found.ino}`;
}

/** Where a path shows: in its folder, or the nearest that is there; and that folder itself. */
function anchors(path: string): readonly WatchedPlace[] {
  let below = path;
  let folder = dirname(path);
  while (!isFolderAt(folder) && dirname(folder) !== folder) {
    below = folder;
    folder = dirname(folder);
  }
  const real = realOf(folder);
  return [
    { folder, name: basename(below) },
    ...[...new Set([folder, real])]
      .filter((step) => dirname(step) !== step)
      .map((step) => ({ folder: dirname(step), name: basename(step) })),
  ];
}

function isFolderAt(path: string): boolean {
  return factsAt(path)?.isDirectory() === true;
}

function factsAt(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

function linkAt(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    // No link, or nothing at all.
    return null;
  }
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

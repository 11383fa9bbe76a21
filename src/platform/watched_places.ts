import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";

/** A path that is to be watched, there or not. */
export interface WatchedPath {
  /** Absolute path. */
  readonly path: string;
  /** Whether the names in it matter too, as in a folder whose files are read each for itself. */
  readonly isFolder?: boolean;
}

/** A folder that is there, and a name in it whose changes matter; `null`: its list of names. */
export interface WatchedPlace {
  /** Absolute path. */
  readonly folder: string;
  /** The name. */
  readonly name: string | null;
}

/** How many links in a row are followed; more than that, or a loop, no program opens. */
const MAX_LINKS = 16;

/**
 * The folders to watch for paths. Never the files themselves: editors put others in their place.
 * Of a path that is not there it is the nearest folder that is; of a link also the folders that it
 * leads through; and always the folder above, which tells when the folder itself is exchanged.
 * Looks at the disk, at each folder once.
 */
export function placesOf(paths: readonly WatchedPath[]): readonly WatchedPlace[] {
  const isFolderAt = remembered((path) => factsAt(path)?.isDirectory() === true);
  const realOf = remembered(realPath);
  /** Where a path shows: in its folder, or the nearest that is there; and that folder itself. */
  const anchors = (path: string): readonly WatchedPlace[] => {
    let below = path;
    let folder = dirname(path);
    while (!isFolderAt(folder) && dirname(folder) !== folder) {
      below = folder;
      folder = dirname(folder);
    }
    return [
      { folder, name: basename(below) },
      ...[...new Set([folder, realOf(folder)])]
        .filter((step) => dirname(step) !== step)
        .map((step) => ({ folder: dirname(step), name: basename(step) })),
    ];
  };
  return paths.flatMap(({ path, isFolder = false }) => {
    const places: WatchedPlace[] = [];
    let current = path;
    for (let links = 0; links < MAX_LINKS; links++) {
      places.push(...anchors(current));
      const target = isFolderAt(dirname(current)) ? linkAt(current) : null;
      if (target === null) break;
      current = resolve(dirname(current), target);
    }
    if (isFolder && isFolderAt(path)) places.push({ folder: path, name: null });
    return places;
  });
}

/** What is at a path, as a text that differs when something else is; `null` for nothing. */
export function identityOf(path: string): string | null {
  const found = factsAt(path);
  return found === null ? null : `${found.dev}:${found.ino}`;
}

/** The same function, which is asked once for each path. */
function remembered<Answer>(ask: (path: string) => Answer): (path: string) => Answer {
  const answers = new Map<string, Answer>();
  return (path) => {
    const known = answers.get(path);
    if (known !== undefined) return known;
    const answer = ask(path);
    answers.set(path, answer);
    return answer;
  };
}

function factsAt(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** Where a link leads; `null` for what is none. */
function linkAt(path: string): string | null {
  try {
    // Most paths are absent; an error for each would cost more than the look.
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    return isLink ? readlinkSync(path) : null;
  } catch {
    return null;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

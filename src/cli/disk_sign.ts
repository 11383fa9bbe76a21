import { accessSync, constants, lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import { errnoOf } from "../platform/errno.ts";
import { listedNames } from "../platform/local_files.ts";
import type { Look } from "../platform/looks.ts";

/** How one path is looked at. */
export type HowLooked = Look["how"];

/** What stands for nothing, and for what could not be told. */
const NOTHING = "-";

/**
 * What a look found, as a text that changes when that does: of a file kind, rights, owner, size,
 * times and place on the disk; of a folder not the times, since a look that lists it says so.
 */
export function signOf(look: Look): string {
  switch (look.how) {
    case "stat":
    case "link":
      return look.found === null ? NOTHING : statSign(look.found);
    case "real":
    case "list":
      return look.found ?? NOTHING;
    case "run":
      return String(look.found);
  }
}

/**
 * The same for what is at a path now. What cannot be told is like nothing else: it may be hindered
 * in another way than before.
 */
export function signNow(how: HowLooked, path: string): string {
  try {
    switch (how) {
      case "stat":
      case "link": {
        const found = (how === "stat" ? statSync : lstatSync)(path, { throwIfNoEntry: false });
        return found === undefined ? NOTHING : statSign(found);
      }
      case "real":
        return realpathSync(path);
      case "list":
        return listedNames(path) ?? NOTHING;
      case "run":
        accessSync(path, constants.X_OK);
        return "true";
    }
  } catch (thrown) {
    if (how === "run") return "false";
    const errno = errnoOf(thrown);
    return errno === "ENOENT" || errno === "ENOTDIR" ? NOTHING : `cannot be told: ${errno}`;
  }
}

/**
 * Whether a file changed so shortly before a moment that a change after it may leave the same
 * times behind. Times of files are as coarse as two seconds on some disks.
 */
export function isRacy(look: Look, moment: number): boolean {
  if (typeof look.found !== "object" || look.found?.isFile() !== true) return false;
  return Math.max(look.found.mtimeMs, look.found.ctimeMs) > moment - RACY_MS;
}

/** The coarsest times of files, in milliseconds: those of FAT. */
const RACY_MS = 2_000;

function statSign(found: Stats): string {
  const { dev, ino, mode, uid, gid } = found;
  const file = found.isFile() ? `:${found.size}:${found.mtimeMs}:${found.ctimeMs}` : "";
  return `${dev}:${ino}:${mode}:${uid}:${gid}${file}`;
}

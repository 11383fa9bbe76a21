import { lstatSync, statfsSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

import { listedNames } from "./local_files.ts";

/**
 * File systems, by Linux's numbers for them, that tell nothing of what other machines write: NFS,
 * SMB in three versions, 9p, FUSE, Ceph, AFS, Coda.
 */
const SILENT: ReadonlySet<number> = new Set([
  0x6969,
  0x517b,
  0xff534d42,
  0xfe534d42,
  0x01021997,
  0x65735546,
  0x00c36400,
  0x5346414f,
  0x73757245,
]);

/** Whether a folder lies where changes may go unnoticed, so that it must be looked at. */
export function isSilentFolder(folder: string): boolean {
  if (process.platform !== "linux") return false;
  try {
    return SILENT.has(statfsSync(folder).type >>> 0);
  } catch {
    return false;
  }
}

/** A text that changes when the named files of a folder do, or, if asked for, its list of names. */
export function folderSign(folder: string, names: Iterable<string>, withList: boolean): string {
  const files = [...names].map((name) => `${name}=${fileSign(join(folder, name))}`);
  return [...files, ...withList ? [listedNames(folder) ?? ""] : []].join("/");
}

/** Whether a name in a folder is a link. */
export function isLink(folder: string, name: string): boolean {
  try {
    return lstatSync(join(folder, name), { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return false;
  }
}

/** Of a link, what it is and what it leads to. */
function fileSign(path: string): string {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return "";
    if (!found.isSymbolicLink()) return factsOf(found);
    const target = statSync(path, { throwIfNoEntry: false });
    return `${factsOf(found)}>${target === undefined ? "" : factsOf(target)}`;
  } catch {
    return "?";
  }
}

function factsOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join(":");
}

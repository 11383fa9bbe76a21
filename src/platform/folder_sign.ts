import { statfsSync, statSync } from "node:fs";
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

function fileSign(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return "";
    return [found.dev, found.ino, found.size, found.mtimeMs, found.ctimeMs].join(":");
  } catch {
    return "?";
  }
}

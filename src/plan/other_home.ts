import { join } from "node:path";
import type { Machine } from "../model/machine.ts";
import { factsOf } from "../platform/local_files.ts";

/** Folders that only one system's homes have. */
const LAYOUTS: readonly (readonly [Machine["platform"], string])[] = [
  ["win32", "AppData"],
  ["darwin", "Library"],
];

/**
 * A machine by which sources find the files of another home folder. What is in it tells its
 * system, which may be another than this one's (a Windows home seen from WSL, and the other way
 * round); variables that move agents' folders are this user's and do not count there.
 */
export function machineOfHome(machine: Machine, home: string): Machine {
  const layout = LAYOUTS.find(([, folder]) => factsOf(join(home, folder))?.isDirectory() === true);
  return { ...machine, home, platform: layout?.[0] ?? "linux", env: {} };
}

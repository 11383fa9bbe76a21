import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Machine } from "../model/machine.ts";
import type { NamedPath, PlacedPath, WorkspaceFolder } from "./folder_trust.ts";

/** Looks at the disk: what is at a path that a definition names, and where it is without links. */
export async function placePath(named: NamedPath): Promise<PlacedPath> {
  const { path } = named;
  const [real, found] = await Promise.all([realOf(path), stat(path).catch(() => null)]);
  const kind = found === null ? "absent" : found.isDirectory() ? "folder" : "file";
  return { ...named, real, kind };
}

/** A path without links; of what does not exist, the part that does is resolved. */
export async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(await realOf(above), basename(path));
  }
}

/** The facts about a workspace's folder. */
export async function workspaceFolder(
  machine: Machine,
  workspacePath: string,
): Promise<WorkspaceFolder> {
  const [real, realHome] = await Promise.all([realOf(workspacePath), realOf(machine.home)]);
  return {
    path: workspacePath,
    real,
    home: machine.home,
    realHome,
    caseless: machine.platform === "win32" || machine.platform === "darwin",
  };
}

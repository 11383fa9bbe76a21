import { basename, dirname, join } from "node:path";
import type { Machine } from "../model/machine.ts";
import { factsOf, resolvedPath } from "../platform/local_files.ts";
import type { NamedPath, PlacedPath, WorkspaceFolder } from "./folder_trust.ts";

/** Looks at the disk: what is at a path that a definition names, and where it is without links. */
export function placePath(named: NamedPath): PlacedPath {
  const { path } = named;
  const found = factsOf(path);
  const kind = found === null ? "absent" : found.isDirectory() ? "folder" : "file";
  return { ...named, real: realOf(path), kind };
}

/** A path without links; of what does not exist, the part that does is resolved. */
export function realOf(path: string): string {
  const real = resolvedPath(path);
  if (real !== null) return real;
  const above = dirname(path);
  return above === path ? path : join(realOf(above), basename(path));
}

/** The facts about a workspace's folder. */
export function workspaceFolder(machine: Machine, workspacePath: string): WorkspaceFolder {
  return {
    path: workspacePath,
    real: realOf(workspacePath),
    home: machine.home,
    realHome: realOf(machine.home),
    caseless: machine.platform === "win32" || machine.platform === "darwin",
  };
}

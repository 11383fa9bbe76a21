import { resolve } from "node:path";
import type { Machine } from "../model/machine.ts";
import { factsOf } from "../platform/local_files.ts";
import type { CliContext } from "./context.ts";
import { usageError } from "./run_action.ts";

/** The machine, working in the folder that a flag names. */
export async function machineIn(context: CliContext, folder: string | undefined): Promise<Machine> {
  const machine = await context.machine();
  if (folder === undefined) return machine;
  return { ...machine, cwd: existingFolder("work in", resolve(machine.cwd, folder)) };
}

/** The home folder that a flag names; `undefined` without one. */
export function homeFolder(machine: Machine, folder: string | undefined): string | undefined {
  if (folder === undefined) return undefined;
  return existingFolder("read the home folder", resolve(machine.cwd, folder));
}

function existingFolder(action: string, path: string): string {
  const found = factsOf(path);
  if (found?.isDirectory() === true) return path;
  const state = found === null ? "it does not exist" : "it is no folder";
  throw usageError(`Cannot ${action} "${path}": ${state}`, null);
}

import { accessSync, constants } from "node:fs";
import { posix, win32 } from "node:path";

import type { Machine } from "../model/machine.ts";
import { factsOf } from "./local_files.ts";
import { noteLook } from "./looks.ts";

/** What a search for a program found. */
export interface ProgramSearch {
  /** Absolute path of the program; `null` when there is none. */
  readonly path: string | null;
  /** Where it was looked for: the folders of `PATH`, or the one place that the command names. */
  readonly searched: readonly string[];
  /** A file of that name that may not be run; absent when there was none. */
  readonly unusable?: string;
}

/** What a program is searched by. */
export interface ProgramSearchOptions {
  /** The machine; its platform decides the rules. */
  readonly machine: Machine;
  /** The environment that the program will get: its `PATH` is searched. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the folder that a command with a separator is relative to. */
  readonly cwd: string;
}

/**
 * The program that a command means, before anything is started. A bare name is looked for in the
 * absolute folders of `PATH` alone: never in the current folder, and an empty or relative entry of
 * `PATH` is passed over, so that no repository can slip its own program in. Links are kept, as
 * programs tell by their name what to do.
 */
export function resolveProgram(command: string, options: ProgramSearchOptions): ProgramSearch {
  const { files, searched } = programCandidates(command, options);
  const needsMode = options.machine.platform !== "win32";
  let unusable: string | undefined;
  for (const file of files) {
    if (factsOf(file)?.isFile() !== true) continue;
    if (!needsMode || isExecutable(file)) return { path: file, searched };
    unusable ??= file;
  }
  return { path: null, searched, ...(unusable === undefined ? {} : { unusable }) };
}

/** The files that a command may mean, best first, and where they were looked for. Pure. */
export function programCandidates(
  command: string,
  options: ProgramSearchOptions,
): { readonly files: readonly string[]; readonly searched: readonly string[] } {
  const { machine, env, cwd } = options;
  const windows = machine.platform === "win32";
  const path = windows ? win32 : posix;
  if (command === "" || command.includes("\0")) return { files: [], searched: [] };
  const name = /^~[/\\]/.test(command) && (windows || command[1] === "/")
    ? path.join(machine.home, command.slice(2))
    : command;
  const extensions = windows ? extensionsToTry(name, variable(env, "PATHEXT", windows)) : [""];
  if (path.isAbsolute(name) || name.includes("/") || (windows && /[\\:]/.test(name))) {
    const file = path.resolve(cwd, name);
    return { files: extensions.map((extension) => file + extension), searched: [file] };
  }
  const folders = (variable(env, "PATH", windows) ?? "").split(path.delimiter)
    // Windows allows quotes around an entry.
    .map((entry) => windows ? entry.replaceAll('"', "") : entry)
    .filter((entry) => path.isAbsolute(entry));
  const searched = [...new Set(folders)];
  const files = searched.flatMap((folder) =>
    extensions.map((extension) => path.join(folder, name) + extension)
  );
  return { files, searched };
}

/** What may stand behind a name on Windows; nothing when it already ends like a program. */
function extensionsToTry(name: string, pathExtensions: string | undefined): readonly string[] {
  const known = (pathExtensions ?? "").split(";").filter((extension) => extension.startsWith("."));
  const extensions = known.length > 0 ? known : [".COM", ".EXE", ".BAT", ".CMD"];
  const own = win32.extname(name).toUpperCase();
  const complete = extensions.some((extension) => extension.toUpperCase() === own);
  return complete ? ["", ...extensions] : extensions;
}

/** A variable of an environment; Windows does not tell its names' upper from lower case. */
function variable(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  windows: boolean,
): string | undefined {
  if (!windows) return env[name];
  const key = Object.keys(env).find((key) => key.toUpperCase() === name);
  return key === undefined ? undefined : env[key];
}

/** Whether this user may run a file. */
function isExecutable(file: string): boolean {
  let found = true;
  try {
    accessSync(file, constants.X_OK);
  } catch {
    found = false;
  }
  noteLook({ how: "run", path: file, found });
  return found;
}

import { closeSync, constants, openSync, readSync } from "node:fs";
import { posix, win32 } from "node:path";
import { closest } from "../definitions/suggestion.ts";
import type { Definition } from "../model/definition.ts";
import type { Machine } from "../model/machine.ts";
import { foreignSystem } from "../platform/foreign_path.ts";
import { factsOf, namesIn } from "../platform/local_files.ts";
import { resolveProgram } from "../platform/program.ts";
import { desktopPath, isDesktopAgent } from "./desktop_path.ts";
import type { DesktopView, ProgramFacts } from "./subject.ts";

/** Bytes of a script in which its interpreter must be named; Linux looks at as many. */
const FIRST_LINE_BYTES = 256;

/** What a program is looked for with. */
export interface ProgramLook {
  /** The command, its placeholders replaced. */
  readonly command: string;
  /** The environment that its process gets. */
  readonly environment: Readonly<Record<string, string>>;
  /** Absolute path of its working folder. */
  readonly cwd: string;
  /** The machine. */
  readonly machine: Machine;
}

/**
 * Looks for the program of a definition that may be evaluated: on the path that its process gets,
 * on the user's own, and on that of a desktop session. Starts nothing; of a script the first line
 * is read.
 */
export function lookForProgram(definition: Definition, look: ProgramLook): ProgramFacts {
  const { command, environment, cwd, machine } = look;
  const search = resolveProgram(command, { machine, env: environment, cwd });
  const { path, searched } = search;
  const found = (name: string, env: Machine["env"]): string | null =>
    resolveProgram(name, { machine, env, cwd }).path;
  const facts = {
    written: definition.config.command ?? command,
    path,
    searched: searched.length,
    foreign: foreignSystem(command, machine.platform === "win32"),
    unusable: search.unusable ?? null,
    onOwnPath: null,
    near: null,
    firstWord: null,
    interpreter: null,
    desktop: null,
  };
  if (path === null) {
    const [first = ""] = command.trim().split(/\s/);
    const isLine = first !== command.trim() && found(first, environment) !== null;
    return {
      ...facts,
      onOwnPath: found(command, machine.env),
      near: closest(baseName(command, machine), programsNear(command, searched, machine)),
      firstWord: isLine ? first : null,
    };
  }
  const name = machine.platform === "win32" ? null : interpreterOf(path);
  return {
    ...facts,
    interpreter: name === null ? null : { name, path: found(name, environment) },
    desktop: desktopView(definition, { command, name, environment, machine, found }),
  };
}

/** What an agent of the desktop would find; `null` where its `PATH` is the terminal's. */
function desktopView({ source, config }: Definition, given: {
  readonly command: string;
  readonly name: string | null;
  readonly environment: Readonly<Record<string, string>>;
  readonly machine: Machine;
  readonly found: (name: string, env: Machine["env"]) => string | null;
}): DesktopView | null {
  const { command, name, environment, machine, found } = given;
  const path = desktopPath(machine);
  const ownPath = config.env?.["PATH"] ?? null;
  if (path === null || !isDesktopAgent(source.id) || ownPath !== null) return null;
  const env = { ...environment, PATH: path };
  return {
    program: found(command, env) !== null,
    interpreter: name === null || found(name, env) !== null,
  };
}

/** Names that a mistyped command may have meant. */
function programsNear(
  command: string,
  searched: readonly string[],
  machine: Machine,
): readonly string[] {
  const rules = machine.platform === "win32" ? win32 : posix;
  // A command that is a path was looked for at that path alone. On Windows it may be a share.
  const folders = /[/\\]/.test(command) ? searched.map((file) => rules.dirname(file)) : searched;
  return folders.filter((folder) => !/^[/\\]{2}/.test(folder)).flatMap(namesIn);
}

function baseName(command: string, { platform }: Machine): string {
  return (platform === "win32" ? win32 : posix).basename(command);
}

/**
 * The program that the first line of a script names: that behind `/usr/bin/env`, which is looked
 * for on the path, or an absolute path. `null` for what is no script.
 */
export function interpreterOf(path: string): string | null {
  const [, first, second] = /^#!\s*(\S+)(?:[ \t]+(?:-S[ \t]*)?([^\s=-]\S*))?/
    .exec(firstBytes(path)) ?? [];
  if (first === undefined) return null;
  if (posix.basename(first) !== "env") return first;
  return second === undefined || second.includes("=") ? null : second;
}

/** The first bytes of a file; nothing of what is no file or cannot be read. */
function firstBytes(path: string): string {
  if (factsOf(path)?.isFile() !== true) return "";
  try {
    // Without waiting, should a pipe have taken the file's place since it was looked at.
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const bytes = new Uint8Array(FIRST_LINE_BYTES);
      const length = readSync(file, bytes, 0, bytes.length, 0);
      return new TextDecoder("latin1").decode(bytes.subarray(0, length));
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
}

import { dirname, isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { ServerConfig } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import type { SourceInfo } from "../model/source.ts";
import { liesIn } from "./inside.ts";

/** The workspace, as the question "does this lie in it?" needs it. */
export interface WorkspaceFolder {
  /** Its path as it is named. */
  readonly path: string;
  /** The same without links. */
  readonly real: string;
  /** The home folder as it is named. */
  readonly home: string;
  /** The home folder without links. */
  readonly realHome: string;
  /** Whether upper and lower case are the same to the file system. */
  readonly caseless: boolean;
}

/**
 * Tells whether a workspace can be anybody's checkout. One that holds the home folder (a command
 * given in the home folder itself, or in `/`) is the machine: all of the user's programs lie in it.
 */
export function isCheckout(workspace: WorkspaceFolder): boolean {
  const { path, real, home, realHome, caseless } = workspace;
  return !liesIn(home, path, caseless) && !liesIn(realHome, real, caseless);
}

/**
 * The folder that relative paths of a definition stand against: the one that its source names, else
 * that of its file for a file of the project, the workspace for what comes from no file, the home
 * folder for all other files.
 */
export function baseFolder(
  source: SourceInfo,
  folders: { readonly workspacePath: string; readonly home: string },
): string {
  if (source.base !== undefined) return source.base;
  if (source.path === null) return folders.workspacePath;
  return source.scope === "project" ? dirname(source.path) : folders.home;
}

/** The working folder of a stdio server. */
export interface LaunchFolder {
  /** Absolute path. */
  readonly cwd: string;
  /** What to say when it is not the folder that one would expect. */
  readonly warning: string | null;
}

/**
 * Where a stdio server starts. Without a `cwd` that is the workspace, once it is approved; until
 * then it is the home folder, since package runners take what they run and how from the folder
 * they start in.
 *
 * @param cwd The definition's own `cwd` with its placeholders replaced, if it has one.
 */
export function launchFolder(cwd: string | undefined, facts: {
  readonly approved: boolean;
  readonly base: string;
  readonly workspacePath: string;
  readonly home: string;
}): LaunchFolder {
  const { approved, base, workspacePath, home } = facts;
  if (cwd !== undefined && cwd.trim() !== "") return { cwd: resolve(base, cwd), warning: null };
  if (approved || workspacePath === home) return { cwd: workspacePath, warning: null };
  return {
    cwd: home,
    warning: "Starts in the home folder, as this workspace is not approved (mcp trust --folder)",
  };
}

/** A path that a definition names, by which it may run what lies there. */
export interface NamedPath {
  /** What names it, in words. Never the text itself, which may hold a secret. */
  readonly what: string;
  /** Absolute path. */
  readonly path: string;
  /** `true`: a folder here is mere data, as the folder that a file server serves. */
  readonly folderIsData: boolean;
}

/** The same after a look at the disk. */
export interface PlacedPath extends NamedPath {
  /** The path without links, as far as it exists. */
  readonly real: string;
  /** What is there. */
  readonly kind: "file" | "folder" | "absent";
}

/**
 * Every path that the config of a stdio server, its placeholders replaced, names: working folder, `envFile`, the command when
 * it is a path, and each argument as far as it can be read as a path. A first argument is what an
 * interpreter runs and an option's value may be the folder to run in (`--prefix`, `-C`), so a
 * folder counts there, as after a word such as `run`; elsewhere it is data.
 */
export function namedPaths(
  config: ServerConfig,
  folders: { readonly cwd: string; readonly base: string },
): readonly NamedPath[] {
  const { cwd, base } = folders;
  const named: NamedPath[] = [{ what: WORKING_FOLDER, path: cwd, folderIsData: false }];
  const { envFile, command = "", args = [] } = config;
  if (envFile !== undefined && envFile !== "") {
    named.push({ what: "envFile", path: resolve(base, envFile), folderIsData: false });
  }
  if (/[/\\]/.test(command)) {
    named.push({
      what: "command",
      path: resolve(cwd, command),
      folderIsData: false,
    });
  }
  args.forEach((arg, index) => {
    const before = args[index - 1] ?? "";
    const isValue = index === 0 || /^(?:run|exec|start)$/.test(before) ||
      (before.startsWith("-") && !before.includes("="));
    for (const text of pathTexts(arg)) {
      named.push({
        what: `argument ${index + 1}`,
        path: resolve(cwd, text),
        folderIsData: text === arg && !isValue,
      });
    }
  });
  return named;
}

/** The parts of an argument that may be a path. */
function pathTexts(arg: string): readonly string[] {
  if (arg === "" || arg.length > 4096 || arg.includes("\0")) return [];
  const url = filePath(arg);
  if (url !== null) return [url];
  if (/^[a-z][a-z0-9+.-]+:/i.test(arg)) return [];
  return [...plainPaths(arg), ...scriptPaths(arg)];
}

/** The absolute paths in an argument of several words, as a shell's script is. */
function scriptPaths(arg: string): readonly string[] {
  if (!/[\s;&|<>()]/.test(arg)) return [];
  return arg.split(/[\s;&|<>()"'`=,]+/).filter((word) => isAbsolute(word));
}

/** The path that an argument is, or that stands in it as a value. */
function plainPaths(arg: string): readonly string[] {
  if (!arg.startsWith("-")) {
    const value = arg.indexOf("=") + 1;
    return value > 0 ? [arg, arg.slice(value)].filter((text) => text !== "") : [arg];
  }
  // `--import=./x.mjs`, `-r./x.js`, `-I/usr/x`.
  const value = arg.includes("=") ? arg.slice(arg.indexOf("=") + 1) : arg.replace(/^-\w?/, "");
  if (value === "" || (value === arg.slice(1) && !arg.includes("="))) return [];
  const inUrl = filePath(value);
  if (inUrl !== null) return [inUrl];
  return arg.includes("=") || isAbsolute(value) || /^\.{0,2}[/\\]/.test(value) ? [value] : [];
}

/** The path in a `file:` address, also in one of a package (`file:../x`, `name@file:/x`). */
function filePath(text: string): string | null {
  const spec = /(?:^|[@+])(file:.*)$/i.exec(text)?.[1];
  if (spec === undefined) return null;
  if (!/^file:\//i.test(spec)) return spec.slice("file:".length);
  try {
    return fileURLToPath(spec);
  } catch {
    return null;
  }
}

/**
 * Whether a path lies in the workspace: by its name, since whoever owns the folder owns its links
 * too, or in truth.
 */
export function inWorkspace(
  place: Pick<PlacedPath, "path" | "real">,
  workspace: WorkspaceFolder,
): boolean {
  const { path, real, caseless } = workspace;
  return [place.path, place.real].some((at) =>
    liesIn(at, path, caseless) || liesIn(at, real, caseless)
  );
}

/** What stands in the workspace when a server would start there. */
const WORKING_FOLDER = "working folder";

/**
 * What of a definition would run, or be steered by, the workspace; empty when nothing. Beside a
 * working folder that lies there only what exists is named: every word of a command line may be a
 * relative path, and what is not there is no reason of its own.
 */
export function heldBy(
  places: readonly PlacedPath[],
  workspace: WorkspaceFolder,
): readonly string[] {
  const held = places.filter((place) =>
    !(place.kind === "folder" && place.folderIsData) && inWorkspace(place, workspace)
  );
  const startsThere = held.some(({ what }) => what === WORKING_FOLDER);
  const named = held.filter(({ what, kind }) =>
    what === WORKING_FOLDER || !startsThere || kind !== "absent"
  );
  return [...new Set(named.map(({ what }) => what))];
}

/** Why a definition waits for the approval of the folder; `null` when it does not. */
export function folderReason(held: readonly string[]): ErrorInfo | null {
  if (held.length === 0) return null;
  const parts = held.filter((what) => what !== WORKING_FOLDER).join(" and ");
  const also = parts === "" ? "" : `, and so would its ${parts}`;
  return {
    code: "server-not-runnable",
    message: held.includes(WORKING_FOLDER)
      ? "Its working folder lies in this workspace, which is not approved: what it runs may be " +
        `taken from there${also}`
      : `Its ${parts} would be taken from this workspace, which is not approved`,
    hint: "If you trust what is in this folder: mcp trust --folder",
  };
}

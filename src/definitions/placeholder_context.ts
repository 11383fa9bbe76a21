import { posix, win32 } from "node:path";
import type { PlaceholderDialect } from "../model/source.ts";
import type { FolderVariable } from "./placeholder_parts.ts";

/** What placeholders are replaced from. */
export interface PlaceholderContext {
  /** Syntax that the definition's file uses. */
  readonly dialect: PlaceholderDialect;
  /** Environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Home folder, absolute: `~` and `${userHome}`. */
  readonly home: string;
  /** Root of the workspace, absolute: `${workspaceFolder}` and `${cwd}`. */
  readonly workspacePath: string;
  /**
   * Folder of the definition's file, absolute: relative `cwd` and `envFile` stand against it;
   * `null` means the workspace.
   */
  readonly configFolder: string | null;
  /**
   * Folder that the paths of files in placeholders stand against, absolute. Default:
   * `configFolder`.
   */
  readonly fileFolder?: string | null;
  /**
   * What the files that `filesOf()` names hold, by path; `null`, like a missing one, cannot be read.
   * Default: none.
   */
  readonly files?: ReadonlyMap<string, string | null>;
  /** `/`, or `\` on Windows, whose variables' names have no case. */
  readonly pathSeparator: string;
}

/** The value of a variable; on Windows whatever the case of its name. */
export function variableValue(
  name: string,
  { env, pathSeparator }: PlaceholderContext,
): string | undefined {
  if (Object.hasOwn(env, name)) return env[name];
  if (pathSeparator !== "\\") return undefined;
  const upper = name.toUpperCase();
  const actual = Object.keys(env).find((key) => key.toUpperCase() === upper);
  return actual === undefined ? undefined : env[actual];
}

/** What stands for a folder variable. */
export function folderValue(name: FolderVariable, context: PlaceholderContext): string {
  switch (name) {
    case "workspaceFolder":
    case "cwd":
      return context.workspacePath;
    case "workspaceFolderBasename":
      return pathRules(context).basename(context.workspacePath);
    case "userHome":
      return context.home;
    case "pathSeparator":
    case "/":
      return context.pathSeparator;
  }
}

/** A path against a folder, or against the workspace; a leading `~` is the home folder. */
export function absolutePath(
  path: string,
  folder: string | null,
  context: PlaceholderContext,
): string {
  const rules = pathRules(context);
  const full = atHome(path, context);
  if (rules.isAbsolute(full)) return full;
  return rules.join(folder ?? context.workspacePath, full);
}

/** The same without `.` and `..`, so that one file has one name. */
export function normalPath(path: string, context: PlaceholderContext): string {
  return pathRules(context).normalize(path);
}

/** A path whose leading `~` is the home folder. `~name` means nothing special. */
export function atHome(path: string, context: PlaceholderContext): string {
  const isHome = path === "~" || path.startsWith("~/") ||
    (context.pathSeparator === "\\" && path.startsWith("~\\"));
  return isHome ? context.home + path.slice(1) : path;
}

function pathRules({ pathSeparator }: PlaceholderContext): typeof posix {
  return pathSeparator === "\\" ? win32 : posix;
}

import { posix, win32 } from "node:path";
import type { ResolvedConfig, ServerConfig } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import type { PlaceholderDialect } from "../model/source.ts";
import { commandsOf, inputsOf, type ShellValue, variablesOf } from "./config_reads.ts";
import { type ConfigText, configTexts } from "./config_texts.ts";
import { isHeaderValue, urlFault } from "./http_fields.ts";
import { type FolderVariable, parseTemplate, type TemplatePart } from "./placeholder_syntax.ts";

export { commandsOf, inputsOf, type ShellValue, variablesOf };

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
  /** `/`, or `\` on Windows, whose variables' names have no case. */
  readonly pathSeparator: string;
}

/** A definition with its placeholders replaced. Holds secrets. */
export interface Expansion {
  /** To be used only when there are no problems; values of commands are left out. */
  readonly config: ResolvedConfig;
  /** What could not be replaced, one for each field and placeholder. */
  readonly problems: readonly ErrorInfo[];
  /** What the author should know; names fields and variables, never values. */
  readonly warnings: readonly string[];
  /** Values to be had from commands. */
  readonly commands: readonly ShellValue[];
  /** Names of the variables that the definition reads. */
  readonly variables: readonly string[];
}

/**
 * Replaces every placeholder in one pass: what a variable holds is never looked at for
 * placeholders again. A leading `~` in `command`, `cwd` and `envFile` is the home folder, and a
 * relative `cwd` or `envFile` becomes absolute. Pure: no file and no process is touched.
 */
export function expandConfig(config: ServerConfig, context: PlaceholderContext): Expansion {
  const commands = commandsOf(config, context.dialect);
  const isCommand = new Set(commands.map(({ field, key }) => `${field}.${key}`));
  const notes: Notes = { problems: [], warnings: new Set() };
  const values = new Map<string, string>();
  for (const text of configTexts(config)) {
    if (text.map !== null && isCommand.has(text.field)) continue;
    values.set(text.field, expandText(text, context, notes));
  }
  return {
    config: resolved(config, values, context),
    problems: [...notes.problems, ...faults(config, values, notes.problems.length > 0, commands)],
    warnings: [...notes.warnings],
    commands,
    variables: variablesOf(config, context.dialect),
  };
}

/** What is found while texts are expanded. */
interface Notes {
  readonly problems: ErrorInfo[];
  readonly warnings: Set<string>;
}

function expandText(text: ConfigText, context: PlaceholderContext, notes: Notes): string {
  const isEdged = text.text !== text.text.trim();
  if (text.map !== null && isEdged) {
    notes.warnings.add(`"${text.field}" starts or ends with white space`);
  }
  return joinParts(parseTemplate(text.text, context.dialect), text.field, context, notes);
}

function joinParts(
  parts: readonly TemplatePart[],
  field: string,
  context: PlaceholderContext,
  notes: Notes,
): string {
  return parts.map((part) => expandPart(part, field, context, notes)).join("");
}

/** What stands for one piece; nothing when it cannot be known, which is then noted. */
function expandPart(
  part: TemplatePart,
  field: string,
  context: PlaceholderContext,
  notes: Notes,
): string {
  switch (part.kind) {
    case "text":
      return part.text;
    case "folder":
      return folderValue(part.name, context);
    case "input":
      notes.problems.push({
        code: "missing-variable",
        message: `Cannot expand "${field}": the value "${part.id}" must be given by the user`,
        hint: `Write a variable such as \${env:NAME} in its place`,
      });
      return "";
    case "unknown":
      notes.problems.push({
        code: "config-invalid",
        message: `Cannot expand "${field}": the placeholder "${part.shown}" is not known here`,
        hint: `Known are ${KNOWN[context.dialect]}`,
      });
      return "";
    case "variable": {
      const value = variable(part.name, context);
      if (value !== undefined && (value !== "" || part.fallback === null)) {
        if (value !== value.trim()) {
          notes.warnings.add(
            `"${field}": the value of the variable "${part.name}" starts or ends with white space`,
          );
        }
        return value;
      }
      if (part.fallback !== null) return joinParts(part.fallback, field, context, notes);
      notes.problems.push({
        code: "missing-variable",
        message: `Cannot expand "${field}": the variable "${part.name}" is not set`,
        hint: `Set "${part.name}" in the environment, or give a default in the file`,
      });
      return "";
    }
  }
}

/** Which placeholders each dialect has, for hints. */
const KNOWN: Readonly<Record<PlaceholderDialect, string>> = {
  "hotplug": "${NAME}, ${NAME:-default}, ${env:NAME}, ${workspaceFolder}, ${userHome}, " +
    "and $${ for a literal ${",
  "braces": "${NAME} and ${NAME:-default}",
  "braces-command": "${NAME} and ${NAME:-default}",
  "env-colon": "${env:NAME}, ${workspaceFolder} and ${userHome}",
  "literal": "none",
};

/** The value of a variable; on Windows whatever the case of its name. */
function variable(name: string, { env, pathSeparator }: PlaceholderContext): string | undefined {
  if (Object.hasOwn(env, name)) return env[name];
  if (pathSeparator !== "\\") return undefined;
  const upper = name.toUpperCase();
  const actual = Object.keys(env).find((key) => key.toUpperCase() === upper);
  return actual === undefined ? undefined : env[actual];
}

function folderValue(name: FolderVariable, context: PlaceholderContext): string {
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

/** The definition with the values in their places. */
function resolved(
  config: ServerConfig,
  values: ReadonlyMap<string, string>,
  context: PlaceholderContext,
): ResolvedConfig {
  const command = values.get("command");
  const cwd = values.get("cwd");
  const url = values.get("url");
  const envFile = values.get("envFile");
  const env = Object.entries(config.env ?? {}).flatMap(([key, text]): [string, string | null][] => {
    const value = text === null ? null : values.get(`env.${key}`);
    return value === undefined ? [] : [[key, value]];
  });
  const headers = Object.keys(config.headers ?? {}).flatMap((key): [string, string][] => {
    const value = values.get(`headers.${key}`);
    return value === undefined ? [] : [[key, value]];
  });
  return {
    ...config,
    ...(command === undefined ? {} : { command: atHome(command, context) }),
    ...(config.args === undefined
      ? {}
      : { args: config.args.map((_, index) => values.get(`args[${index}]`) ?? "") }),
    ...(cwd === undefined ? {} : { cwd: absolute(cwd, context) }),
    ...(url === undefined ? {} : { url: url.trim() }),
    ...(envFile === undefined ? {} : { envFile: absolute(envFile, context) }),
    env: Object.fromEntries(env),
    headers: Object.fromEntries(headers),
  };
}

/** What is wrong with values that only their expansion shows. */
function faults(
  config: ServerConfig,
  values: ReadonlyMap<string, string>,
  isIncomplete: boolean,
  commands: readonly ShellValue[],
): readonly ErrorInfo[] {
  const problems: ErrorInfo[] = [];
  const add = (message: string): void => {
    problems.push({ code: "config-invalid", message, hint: null });
  };
  for (const { field, key, command } of commands) {
    if (command === "") add(`Cannot expand "${field}.${key}": there is no command after "!"`);
  }
  if (isIncomplete) return problems;
  const url = values.get("url");
  const urlProblem = url === undefined ? null : urlFault(url, false);
  if (urlProblem !== null) problems.push(urlProblem);
  const command = values.get("command");
  if (config.command !== undefined && command?.trim() === "") {
    add(`Cannot use "command": it is empty after its placeholders are replaced`);
  }
  for (const key of Object.keys(config.headers ?? {})) {
    if (isHeaderValue(values.get(`headers.${key}`) ?? "")) continue;
    add(`Cannot use "headers.${key}": it holds a line break or a character that HTTP cannot carry`);
  }
  return problems;
}

function absolute(path: string, context: PlaceholderContext): string {
  const rules = pathRules(context);
  const full = atHome(path, context);
  if (rules.isAbsolute(full)) return full;
  return rules.join(context.configFolder ?? context.workspacePath, full);
}

/** A path whose leading `~` is the home folder. `~name` means nothing special. */
function atHome(path: string, context: PlaceholderContext): string {
  const isHome = path === "~" || path.startsWith("~/") ||
    (context.pathSeparator === "\\" && path.startsWith("~\\"));
  return isHome ? context.home + path.slice(1) : path;
}

function pathRules({ pathSeparator }: PlaceholderContext): typeof posix {
  return pathSeparator === "\\" ? win32 : posix;
}

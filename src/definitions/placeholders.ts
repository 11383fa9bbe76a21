import type { ResolvedConfig, ServerConfig } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import { commandsOf, inputsOf, type ShellValue, variablesOf } from "./config_reads.ts";
import { configTexts } from "./config_texts.ts";
import { isHeaderValue, urlFault } from "./http_fields.ts";
import { missingProblem } from "./missing_values.ts";
import { knows } from "./placeholder_dialects.ts";
import {
  absolutePath,
  atHome,
  folderValue,
  type PlaceholderContext,
} from "./placeholder_context.ts";
import { expandText, type ExpansionNotes } from "./placeholder_expansion.ts";
import { filesOf, readFiles } from "./placeholder_files.ts";
import { escapeLiteral } from "./placeholder_syntax.ts";

export { commandsOf, escapeLiteral, filesOf, inputsOf, readFiles, variablesOf };
export type { PlaceholderContext, ShellValue };

/** A definition with its placeholders replaced. Holds secrets. */
export interface Expansion {
  /** To be used only when there are no problems; values of commands are left out. */
  readonly config: ResolvedConfig;
  /**
   * What could not be replaced, one for each field and placeholder; last of all one for all values
   * that only the user can give.
   */
  readonly problems: readonly ErrorInfo[];
  /** Whether nothing stands in the way but values that only the user can give. */
  readonly needsInput: boolean;
  /** What the author should know; names fields and variables, never values. */
  readonly warnings: readonly string[];
  /** Values to be had from commands. */
  readonly commands: readonly ShellValue[];
  /** Names of the variables that the definition reads. */
  readonly variables: readonly string[];
  /** Contents of files and values that the user gave, wherever in the config they stand. */
  readonly secrets: readonly string[];
}

/**
 * Replaces every placeholder in one pass: what a variable or a file holds is never looked at for
 * placeholders again. A leading `~` in `command`, `cwd` and `envFile` is the home folder, and a
 * relative `cwd` or `envFile` becomes absolute. Pure: no file and no process is touched.
 */
export function expandConfig(config: ServerConfig, context: PlaceholderContext): Expansion {
  const { dialect } = context;
  const commands = commandsOf(config, dialect, (name) => folderValue(name, context));
  const notes: ExpansionNotes = {
    problems: [],
    missing: [],
    warnings: new Set(),
    secrets: new Set(),
  };
  const values = new Map<string, string>();
  for (const text of configTexts(config)) {
    const value = expandText(text, context, notes);
    if (value !== null) values.set(text.field, value);
  }
  const { problems: others, missing } = notes;
  const found = faults(config, values, commands, {
    noCommand: knows(dialect, "bang") ? 'after "!"' : "in it",
    isIncomplete: others.length > 0,
    askedFields: new Set(missing.map(({ field }) => field)),
  });
  return {
    config: resolved(config, values, context),
    // What no value of the user's could repair comes first.
    problems: [...found, ...others, ...(missing.length === 0 ? [] : [missingProblem(missing)])],
    needsInput: missing.length > 0 && others.length === 0 && found.length === 0,
    warnings: [...notes.warnings],
    commands,
    variables: variablesOf(config, dialect),
    secrets: [...notes.secrets],
  };
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
    ...(cwd === undefined ? {} : { cwd: absolutePath(cwd, context.configFolder, context) }),
    ...(url === undefined ? {} : { url: url.trim() }),
    ...(envFile === undefined
      ? {}
      : { envFile: absolutePath(envFile, context.configFolder, context) }),
    env: Object.fromEntries(env),
    headers: Object.fromEntries(headers),
  };
}

/** What is wrong with values that only their expansion shows. */
function faults(
  config: ServerConfig,
  values: ReadonlyMap<string, string>,
  commands: readonly ShellValue[],
  given: {
    /** Where an empty command is missing, in words. */
    readonly noCommand: string;
    /** Whether values are missing that the user cannot give. */
    readonly isIncomplete: boolean;
    /** Fields that wait for a value of the user's. */
    readonly askedFields: ReadonlySet<string>;
  },
): readonly ErrorInfo[] {
  const { noCommand, isIncomplete, askedFields } = given;
  const problems: ErrorInfo[] = [];
  const add = (message: string): void => {
    problems.push({ code: "config-invalid", message, hint: null });
  };
  for (const { field, key, command } of commands) {
    if (command === "") add(`Cannot expand "${field}.${key}": there is no command ${noCommand}`);
  }
  if (isIncomplete) return problems;
  const url = askedFields.has("url") ? undefined : values.get("url");
  const urlProblem = url === undefined ? null : urlFault(url, false);
  if (urlProblem !== null) problems.push(urlProblem);
  const command = values.get("command");
  if (config.command !== undefined && command?.trim() === "" && !askedFields.has("command")) {
    add(`Cannot use "command": it is empty after its placeholders are replaced`);
  }
  for (const key of Object.keys(config.headers ?? {})) {
    if (isHeaderValue(values.get(`headers.${key}`) ?? "")) continue;
    add(`Cannot use "headers.${key}": it holds a line break or a character that HTTP cannot carry`);
  }
  return problems;
}

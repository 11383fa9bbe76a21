import type { ServerConfig } from "../model/definition.ts";
import type { PlaceholderDialect } from "../model/source.ts";
import { configTexts } from "./config_texts.ts";
import { type FolderVariable, type TemplatePart, withInner } from "./placeholder_parts.ts";
import { hasCommand, shellCommand } from "./placeholder_shell.ts";
import { parseTemplate } from "./placeholder_syntax.ts";

/** A value that a command prints. */
export interface ShellValue {
  /** Which map it belongs to. */
  readonly field: "env" | "headers";
  /** Name of the variable or header. */
  readonly key: string;
  /**
   * What a shell runs to print the value: the command as written, or, for one inside of a longer
   * text, a script that prints the whole text.
   */
  readonly command: string;
}

/**
 * Names of the variables that a definition may read, in order of appearance: those of its
 * placeholders, also of values that only the user can give, and those that its process is given by
 * name. Evaluates nothing.
 */
export function variablesOf(config: ServerConfig, dialect: PlaceholderDialect): readonly string[] {
  const names = new Set<string>();
  for (const part of allParts(config, dialect)) {
    if (part.kind === "variable") names.add(part.name);
    if (part.kind === "input") names.add(part.variable);
  }
  for (const name of inheritedNames(config)) names.add(name);
  return [...names];
}

/** Names of the variables that a process is given whatever its source lets through. */
export function inheritedNames({ inheritEnv }: ServerConfig): readonly string[] {
  return typeof inheritEnv === "object" ? inheritEnv : [];
}

/** Ids of the values that only the user can give, such as `${input:id}`; evaluates nothing. */
export function inputsOf(config: ServerConfig, dialect: PlaceholderDialect): readonly string[] {
  const ids = new Set<string>();
  for (const part of allParts(config, dialect)) if (part.kind === "input") ids.add(part.id);
  return [...ids];
}

/**
 * The commands behind values of a definition; evaluates nothing.
 * @param folder Gives what stands for a folder beside a command. Default: its placeholder.
 */
export function commandsOf(
  config: ServerConfig,
  dialect: PlaceholderDialect,
  folder: (name: FolderVariable) => string = (name) => `\${${name}}`,
): readonly ShellValue[] {
  return configTexts(config).flatMap(({ map, key, text }) => {
    const parts = map === null ? [] : parseTemplate(text, dialect, map);
    return map !== null && hasCommand(parts)
      ? [{ field: map, key, command: shellCommand(parts, folder) }]
      : [];
  });
}

/** Every placeholder of a definition, those in defaults and paths too; commands are no templates. */
export function allParts(
  config: ServerConfig,
  dialect: PlaceholderDialect,
): readonly TemplatePart[] {
  return configTexts(config)
    .flatMap(({ map, text }) => parseTemplate(text, dialect, map).flatMap(withInner));
}

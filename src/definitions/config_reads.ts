import type { ServerConfig } from "../model/definition.ts";
import type { PlaceholderDialect } from "../model/source.ts";
import { configTexts } from "./config_texts.ts";
import { knowsCommands, parseTemplate, type TemplatePart } from "./placeholder_syntax.ts";

/** A value that a command prints. */
export interface ShellValue {
  /** Which map it belongs to. */
  readonly field: "env" | "headers";
  /** Name of the variable or header. */
  readonly key: string;
  /** The command, without its `!`. */
  readonly command: string;
}

/** Names of the variables that a definition may read, in order of appearance; evaluates nothing. */
export function variablesOf(config: ServerConfig, dialect: PlaceholderDialect): readonly string[] {
  const names = new Set<string>();
  for (const part of allParts(config, dialect)) {
    if (part.kind === "variable") names.add(part.name);
  }
  return [...names];
}

/** Ids of the `${input:id}` values that only the user can give; evaluates nothing. */
export function inputsOf(config: ServerConfig, dialect: PlaceholderDialect): readonly string[] {
  const ids = new Set<string>();
  for (const part of allParts(config, dialect)) if (part.kind === "input") ids.add(part.id);
  return [...ids];
}

/** The commands behind the `!` values of a definition; evaluates nothing. */
export function commandsOf(
  config: ServerConfig,
  dialect: PlaceholderDialect,
): readonly ShellValue[] {
  if (!knowsCommands(dialect)) return [];
  return configTexts(config).flatMap(({ map, key, text }) =>
    map !== null && text.startsWith("!") ? [{ field: map, key, command: text.slice(1).trim() }] : []
  );
}

/** Every placeholder of a definition, those in defaults too; the texts of commands are no templates. */
function allParts(config: ServerConfig, dialect: PlaceholderDialect): readonly TemplatePart[] {
  const flat = (part: TemplatePart): readonly TemplatePart[] =>
    part.kind === "variable" && part.fallback !== null
      ? [part, ...part.fallback.flatMap(flat)]
      : [part];
  return configTexts(config)
    .filter(({ map, text }) => map === null || !knowsCommands(dialect) || !text.startsWith("!"))
    .flatMap(({ text }) => parseTemplate(text, dialect).flatMap(flat));
}

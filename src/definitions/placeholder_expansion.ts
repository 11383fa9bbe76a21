import type { ErrorInfo } from "../model/errors.ts";
import type { ConfigText } from "./config_texts.ts";
import { folderValue, type PlaceholderContext, variableValue } from "./placeholder_context.ts";
import type { MissingValue } from "./missing_values.ts";
import { knownPlaceholders, knows } from "./placeholder_dialects.ts";
import { filePath, isOpenPath } from "./placeholder_files.ts";
import type { TemplatePart } from "./placeholder_parts.ts";
import { hasCommand } from "./placeholder_shell.ts";
import { parseTemplate } from "./placeholder_syntax.ts";

/** What is found while the texts of a definition are expanded. */
export interface ExpansionNotes {
  /** What could not be replaced, but for values that are missing. */
  readonly problems: ErrorInfo[];
  /** What only the user can give, and has not. */
  readonly missing: MissingValue[];
  /** What the author should know. */
  readonly warnings: Set<string>;
  /** Contents of files and values that the user gave. */
  readonly secrets: Set<string>;
}

/**
 * The text with its placeholders replaced; `null` for one that commands belong to, whose other
 * placeholders are only looked at.
 */
export function expandText(
  text: ConfigText,
  context: PlaceholderContext,
  notes: ExpansionNotes,
): string | null {
  const { field } = text;
  const parts = parseTemplate(text.text, context.dialect, text.map);
  const isPrinted = text.map !== null && hasCommand(parts);
  const isOnlyCommand = parts.length === 1 && parts[0]?.kind === "command";
  if (text.map !== null && !isOnlyCommand && text.text !== text.text.trim()) {
    notes.warnings.add(`"${field}" starts or ends with white space`);
  }
  const value = joinParts(parts, { field, text: text.text, isPrinted, context, notes });
  if (!isPrinted) return value;
  if (!isOnlyCommand && context.pathSeparator === "\\") {
    refuse(
      { field, notes },
      "a command inside of a longer text needs a shell that Windows has not",
      "Let the command print the whole value",
    );
  }
  return null;
}

/** The text that a part belongs to. */
interface PartPlace {
  readonly field: string;
  /** As it is written. */
  readonly text: string;
  /** Whether the value is printed by a shell. */
  readonly isPrinted: boolean;
  readonly context: PlaceholderContext;
  readonly notes: ExpansionNotes;
}

function joinParts(parts: readonly TemplatePart[], place: PartPlace): string {
  return parts.map((part) => expandPart(part, place)).join("");
}

/** What stands for one piece; nothing when it cannot be known, which is then noted. */
function expandPart(part: TemplatePart, place: PartPlace): string {
  const { context } = place;
  switch (part.kind) {
    case "text":
      return part.text;
    case "folder":
      return folderValue(part.name, context);
    case "input":
      return givenValue(part, place);
    case "file":
      return fileContent(part.path, place);
    case "command":
      if (!place.isPrinted) {
        refuse(
          place,
          "the output of a command is allowed in env and headers only",
          "Move the command into a value of env or headers, or write a variable",
        );
      }
      return "";
    case "unknown":
      refuse(
        place,
        `the placeholder "${part.shown}" is not known here`,
        `Known are ${knownPlaceholders(context.dialect)}`,
      );
      return "";
    case "variable": {
      if (part.windows === true && context.pathSeparator !== "\\") return `%${part.name}%`;
      const value = variableValue(part.name, context);
      if (value !== undefined && (value !== "" || part.fallback === null)) {
        noteEdges(part.name, value, place);
        return value;
      }
      if (part.fallback !== null) return joinParts(part.fallback, place);
      place.notes.problems.push({
        code: "missing-variable",
        message: `Cannot expand "${place.field}": the variable "${part.name}" is not set`,
        hint: `Set "${part.name}" in the environment${
          takesDefault(part.name, place) ? ", or give a default in the file" : ""
        }`,
      });
      return "";
    }
  }
}

/**
 * Whether the host lets a variable have a default where it stands. What is written as `env:NAME` may
 * come from a key that names variables, or from a host whose variables have none.
 */
function takesDefault(name: string, { text, context: { dialect } }: PartPlace): boolean {
  return knows(dialect, "default") && !text.includes(`env:${name}`);
}

/** A value that only the user can give, from the variable that stands for it. */
function givenValue(
  { id, variable, secret }: TemplatePart & { readonly kind: "input" },
  place: PartPlace,
): string {
  const { field, notes } = place;
  if (place.isPrinted) {
    refuse(
      place,
      `the value "${id}" cannot stand in one text with a command`,
      "Write a variable, which the command's shell can read",
    );
    return "";
  }
  const value = variableValue(variable, place.context);
  if (value !== undefined) {
    noteEdges(variable, value, place);
    notes.secrets.add(value);
    return value;
  }
  notes.missing.push({ field, id, variable, secret });
  return "";
}

/** The content of a file without white space around it. */
function fileContent(path: readonly TemplatePart[], place: PartPlace): string {
  const { context, notes } = place;
  const unknown = (): number => notes.problems.length + notes.missing.length;
  const before = unknown();
  joinParts(path, place);
  if (unknown() > before) return "";
  const found = filePath(path, context);
  // A path that a variable gave may be a secret itself.
  const shown = isOpenPath(path) || found === null ? "that it names" : `"${found}"`;
  const text = found === null ? null : context.files?.get(found) ?? null;
  if (text === null) {
    refuse(
      place,
      `the file ${shown} does not exist or cannot be read`,
      "Create the file, or correct its path",
      "config-unreadable",
    );
    return "";
  }
  if (text.includes("\0")) refuse(place, `the file ${shown} holds a NUL character`, null);
  const content = text.trim();
  notes.secrets.add(content);
  return content;
}

function noteEdges(name: string, value: string, { field, notes }: PartPlace): void {
  if (value === value.trim()) return;
  notes.warnings.add(
    `"${field}": the value of the variable "${name}" starts or ends with white space`,
  );
}

function refuse(
  { field, notes }: Pick<PartPlace, "field" | "notes">,
  reason: string,
  hint: string | null,
  code: ErrorInfo["code"] = "config-invalid",
): void {
  notes.problems.push({ code, message: `Cannot expand "${field}": ${reason}`, hint });
}

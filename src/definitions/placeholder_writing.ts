import type { PlaceholderDialect } from "../model/source.ts";
import { knows, knowsBraces } from "./placeholder_dialects.ts";
import { isFolderVariable, type TemplatePart } from "./placeholder_parts.ts";
import { escapeLiteral } from "./placeholder_syntax.ts";

/**
 * What a dialect may have no way to write; `text` stands for one that means something there,
 * `windows` for a variable that is one on Windows alone.
 */
export type Unwritable =
  | "variable"
  | "default"
  | "nested"
  | "folder"
  | "input"
  | "secret"
  | "file"
  | "command"
  | "unknown"
  | "windows"
  | "text";

/**
 * Parts as a text of a dialect. What it cannot say is left out and added to `failures`. Whether the
 * text is read back as the same parts is for the caller to see: pieces that stand side by side may
 * look like something else.
 */
export function writeParts(
  parts: readonly TemplatePart[],
  dialect: PlaceholderDialect,
  failures: Set<Unwritable>,
): string {
  const [only] = parts;
  if (parts.length === 1 && only?.kind === "command" && knows(dialect, "bang")) {
    return `!${only.command}`;
  }
  return parts.map((part) => {
    const text = writePart(part, dialect, failures);
    if (text === null) failures.add(kindOf(part));
    return text ?? "";
  }).join("");
}

/** One part as a text; `null` when the dialect has nothing of its kind. */
function writePart(
  part: TemplatePart,
  dialect: PlaceholderDialect,
  failures: Set<Unwritable>,
): string | null {
  switch (part.kind) {
    case "text":
      return knows(dialect, "escape") ? escapeLiteral(part.text) : part.text;
    case "folder":
      return knows(dialect, "folder") ? `\${${part.name}}` : null;
    case "variable":
      return writeVariable(part, dialect, failures);
    case "input":
      return writeInput(part, dialect);
    case "file": {
      const path = writeParts(part.path, dialect, failures);
      if (knows(dialect, "curly")) return `{file:${path}}`;
      return knows(dialect, "file") ? `\${file:${path}}` : null;
    }
    case "command":
      if (knows(dialect, "shell")) {
        // Two parentheses would be arithmetic.
        return `$(${part.command.startsWith("(") ? " " : ""}${part.command})`;
      }
      return knows(dialect, "cmd") ? `\${cmd: ${part.command}}` : null;
    case "unknown":
      return null;
  }
}

function writeVariable(
  { name, fallback, windows }: TemplatePart & { readonly kind: "variable" },
  dialect: PlaceholderDialect,
  failures: Set<Unwritable>,
): string | null {
  // Elsewhere it would be a variable on every system, or on none.
  if (windows === true) return knows(dialect, "percent") ? `%${name}%` : null;
  if (knows(dialect, "curly")) {
    if (fallback !== null) failures.add("default");
    return `{env:${name}}`;
  }
  if (!knowsBraces(dialect)) return null;
  const rest = fallback === null ? "" : `:-${writeDefault(fallback, dialect, failures)}`;
  // The name of a folder variable alone would be that folder.
  const isFolder = knows(dialect, "folder") && isFolderVariable(name);
  return knows(dialect, "name") && !isFolder ? `\${${name}${rest}}` : `\${env:${name}${rest}}`;
}

function writeDefault(
  parts: readonly TemplatePart[],
  dialect: PlaceholderDialect,
  failures: Set<Unwritable>,
): string {
  const text = writeParts(parts, dialect, failures);
  if (!knows(dialect, "default")) failures.add("default");
  else if (!knows(dialect, "nested")) {
    // A host that looks for the first brace would cut the default there, and read no sign in it.
    const isPlain = parts.every(({ kind }) => kind === "text") && !text.includes("}");
    if (!isPlain) failures.add("nested");
  }
  return text;
}

function writeInput(
  { id, secret }: TemplatePart & { readonly kind: "input" },
  dialect: PlaceholderDialect,
): string | null {
  if (knows(dialect, "expression")) return `\${{ ${secret ? "secrets" : "inputs"}.${id} }}`;
  if (secret) return knows(dialect, "secret") ? `\${secret:${id}}` : null;
  return knows(dialect, "input") ? `\${input:${id}}` : null;
}

function kindOf(part: TemplatePart): Unwritable {
  if (part.kind === "variable" && part.windows === true) return "windows";
  return part.kind === "input" && part.secret ? "secret" : part.kind;
}

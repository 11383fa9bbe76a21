import type { FolderVariable, TemplatePart } from "./placeholder_parts.ts";
import { withInner } from "./placeholder_parts.ts";

/** Holds the value while a shell puts it together. No server's variable begins like this. */
const VALUE = "HOTPLUG_VALUE";

/** Whether a text holds a command, in a default or outside. */
export function hasCommand(parts: readonly TemplatePart[]): boolean {
  return parts.flatMap(withInner).some(({ kind }) => kind === "command");
}

/**
 * What a shell must run to print a text that holds commands. A text that is one command is that
 * command. Any other is handed over as double-quoted words, one for each command: a shell forgets
 * the failure of all but the last command in a word, and a value that lacks a piece must not be
 * used. A variable that is not set is a failure, too.
 *
 * @param folder Gives what stands for a folder.
 */
export function shellCommand(
  parts: readonly TemplatePart[],
  folder: (name: FolderVariable) => string,
): string {
  const [only] = parts;
  if (parts.length === 1 && only?.kind === "command") return only.command;
  const assignments: string[] = [];
  let word = "";
  const assign = (): void => {
    const before = assignments.length === 0 ? "" : `\${${VALUE}}`;
    assignments.push(`${VALUE}="${before}${word}"`);
    word = "";
  };
  for (const part of parts) {
    word += quoted(part, folder, false);
    if (hasCommand([part])) assign();
  }
  if (word !== "") assign();
  return `set -eu; ${assignments.join("; ")}; printf %s "$${VALUE}"`;
}

/** A part as it stands between double quotes. */
function quoted(
  part: TemplatePart,
  folder: (name: FolderVariable) => string,
  inDefault: boolean,
): string {
  switch (part.kind) {
    case "text":
      return quotedText(part.text, inDefault);
    case "folder":
      return quotedText(folder(part.name), inDefault);
    case "command":
      // Two parentheses would be arithmetic.
      return `$(${part.command.startsWith("(") ? " " : ""}${part.command})`;
    case "variable": {
      if (part.fallback === null) return `\${${part.name}}`;
      const fallback = part.fallback.map((inner) => quoted(inner, folder, true)).join("");
      return `\${${part.name}:-${fallback}}`;
    }
    case "input":
      return `\${${part.variable}}`;
    case "file":
    case "unknown":
      // Noted as a problem by whoever expands the text; nothing runs then.
      return "";
  }
}

function quotedText(text: string, inDefault: boolean): string {
  return text.replace(inDefault ? /[\\"`$}]/g : /[\\"`$]/g, "\\$&");
}

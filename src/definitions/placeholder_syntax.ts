import type { PlaceholderDialect } from "../model/source.ts";

/** One piece of a text that may hold placeholders. */
export type TemplatePart =
  | { readonly kind: "text"; readonly text: string }
  | {
    readonly kind: "variable";
    /** Name of the environment variable. */
    readonly name: string;
    /** What stands for it when it is unset or empty; `null` without a default. */
    readonly fallback: readonly TemplatePart[] | null;
  }
  | { readonly kind: "folder"; readonly name: FolderVariable }
  | { readonly kind: "input"; readonly id: string }
  | {
    readonly kind: "unknown";
    /** How it begins, cut short, for messages. */
    readonly shown: string;
  };

/** Names that stand for folders and the like, not for environment variables. */
export type FolderVariable =
  | "workspaceFolder"
  | "workspaceFolderBasename"
  | "userHome"
  | "pathSeparator"
  | "/"
  | "cwd";

const FOLDER_VARIABLES: ReadonlySet<string> = new Set<FolderVariable>([
  "workspaceFolder",
  "workspaceFolderBasename",
  "userHome",
  "pathSeparator",
  "/",
  "cwd",
]);

/** Names of environment variables; Windows has some with parentheses. */
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_()]*$/;
/** How deep defaults may stand in defaults; what is deeper is no config but an attack. */
const MAX_NESTING = 10;
/** How much of an unknown placeholder is shown. */
const SHOWN_LENGTH = 40;

/** Whether a dialect lets a value of `env` or `headers` be the output of a command. */
export function knowsCommands(dialect: PlaceholderDialect): boolean {
  return dialect === "hotplug" || dialect === "braces-command";
}

/**
 * Takes a text apart. A `${` always begins a placeholder but in `literal` texts; `hotplug` texts
 * can write `$${` for a literal `${`. Braces pair up inside of a default, so it may hold JSON and
 * other placeholders.
 */
export function parseTemplate(
  text: string,
  dialect: PlaceholderDialect,
  nesting: number = 0,
): readonly TemplatePart[] {
  if (dialect === "literal") return text === "" ? [] : [{ kind: "text", text }];
  const parts: TemplatePart[] = [];
  let plain = "";
  let at = 0;
  while (at < text.length) {
    const start = text.indexOf("${", at);
    if (start < 0) break;
    if (dialect === "hotplug" && start > at && text[start - 1] === "$") {
      const end = placeholderEnd(text, start);
      plain += text.slice(at, start - 1) + text.slice(start, end + 1);
      at = end + 1;
      continue;
    }
    plain += text.slice(at, start);
    if (plain !== "") parts.push({ kind: "text", text: plain });
    plain = "";
    const end = placeholderEnd(text, start);
    parts.push(
      text[end] === "}"
        ? parsePlaceholder(text.slice(start + 2, end), dialect, nesting)
        : { kind: "unknown", shown: shortened(text.slice(start)) },
    );
    at = end + 1;
  }
  plain += text.slice(at);
  if (plain !== "") parts.push({ kind: "text", text: plain });
  return parts;
}

/** Offset of the brace that closes a placeholder; the last offset of the text when none does. */
function placeholderEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "{") depth++;
    else if (text[at] === "}" && --depth === 0) return at;
  }
  // Braces that do not pair up, as in "${V:-a{b}": the first closing one must be meant.
  const first = text.indexOf("}", start);
  return first < 0 ? text.length : first;
}

function parsePlaceholder(
  inner: string,
  dialect: PlaceholderDialect,
  nesting: number,
): TemplatePart {
  const unknown: TemplatePart = { kind: "unknown", shown: shortened(`\${${inner}}`) };
  if (nesting > MAX_NESTING) return unknown;
  const split = inner.indexOf(":-");
  const head = (split < 0 ? inner : inner.slice(0, split)).trim();
  if (head.startsWith("input:") && split < 0) {
    const id = head.slice("input:".length).trim();
    return id === "" ? unknown : { kind: "input", id };
  }
  const folders = dialect === "hotplug" || dialect === "env-colon";
  if (folders && split < 0 && FOLDER_VARIABLES.has(head)) {
    return { kind: "folder", name: head as FolderVariable };
  }
  const named = head.startsWith("env:");
  if (!named && dialect === "env-colon") return unknown;
  const name = named ? head.slice("env:".length).trim() : head;
  if (!VARIABLE_NAME.test(name)) return unknown;
  const fallback = split < 0 ? null : parseTemplate(inner.slice(split + 2), dialect, nesting + 1);
  return { kind: "variable", name, fallback };
}

/** The begin of a placeholder; a default is left out, as it may be a secret. */
function shortened(placeholder: string): string {
  const isClosed = placeholder.endsWith("}");
  const split = placeholder.search(/[-:?+=]/);
  const isNamespace = /^\$\{\w+:\w/.test(placeholder);
  const end = split < 0 || isNamespace ? placeholder.length : split;
  const shown = placeholder.slice(0, Math.min(end, SHOWN_LENGTH));
  if (shown === placeholder) return shown;
  return `${shown}…${isClosed ? "}" : ""}`;
}

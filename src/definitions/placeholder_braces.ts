import { knows, knowsBraces } from "./placeholder_dialects.ts";
import {
  type FoundPart,
  inputVariable,
  isFolderVariable,
  isVariableName,
  type TemplatePart,
  type TemplatePlace,
  withInner,
} from "./placeholder_parts.ts";

/** How deep defaults may stand in defaults; what is deeper is no config but an attack. */
const MAX_NESTING = 10;
/** How much of an unknown placeholder is shown. */
const SHOWN_LENGTH = 40;

/** Reads what begins with `${` at an offset; `null` where that is plain text. */
export function readBraces(text: string, at: number, place: TemplatePlace): FoundPart | null {
  if (knows(place.dialect, "expression") && text[at + 2] === "{") return readExpression(text, at);
  if (!knowsBraces(place.dialect)) return null;
  const end = place.closing(at + 1);
  const part = text[end] === "}"
    ? bracedPart(text.slice(at + 2, end), place)
    : unknown(text.slice(at));
  return { part, end: end + 1 };
}

/** Reads `$${…}`, which stands for `${…}` as it is, at an offset; `null` where it means nothing. */
export function readEscape(text: string, at: number, place: TemplatePlace): FoundPart | null {
  if (!knows(place.dialect, "escape") || !text.startsWith("$${", at)) return null;
  const end = place.closing(at + 2);
  return { part: { kind: "text", text: text.slice(at + 1, end + 1) }, end: end + 1 };
}

/** Reads `{env:NAME}` or `{file:path}` at an offset; any other brace is plain text. */
export function readCurly(text: string, at: number, place: TemplatePlace): FoundPart | null {
  if (!knows(place.dialect, "curly")) return null;
  const isFile = text.startsWith("{file:", at);
  if (!isFile && !text.startsWith("{env:", at)) return null;
  const end = place.closing(at);
  if (text[end] !== "}") return { part: unknown(text.slice(at)), end: end + 1 };
  const inner = text.slice(at + (isFile ? "{file:" : "{env:").length, end);
  const name = inner.trim();
  const part: TemplatePart | null = isFile
    ? filePart(inner, place)
    : isVariableName(name)
    ? { kind: "variable", name, fallback: null }
    : null;
  return { part: part ?? unknown(text.slice(at, end + 1)), end: end + 1 };
}

/**
 * Tells the offset of the brace that closes the one at an offset; the end of the text when none
 * does. Braces pair up, so a default may hold JSON and other placeholders. A text is gone through
 * once, however many placeholders are in it.
 */
export function closingBraces(text: string): (open: number) => number {
  let pairs: ReadonlyMap<number, number> | null = null;
  return (open) => {
    pairs ??= bracePairs(text);
    const paired = pairs.get(open);
    if (paired !== undefined) return paired;
    // Braces that do not pair up, as in "${V:-a{b}": the first closing one must be meant.
    const first = text.indexOf("}", open);
    return first < 0 ? text.length : first;
  };
}

function bracePairs(text: string): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "{") open.push(at);
    else if (text[at] === "}") {
      const start = open.pop();
      if (start !== undefined) pairs.set(start, at);
    }
  }
  return pairs;
}

/** What stands between `${` and its brace. */
function bracedPart(inner: string, place: TemplatePlace): TemplatePart {
  const { dialect } = place;
  const none = unknown(`\${${inner}}`);
  if (place.nesting > MAX_NESTING) return none;
  const [, special, rest = ""] = /^\s*(cmd|file):(.*)$/s.exec(inner) ?? [];
  if (special === "cmd" && knows(dialect, "cmd")) return { kind: "command", command: rest.trim() };
  if (special === "file" && knows(dialect, "file")) return filePart(rest, place) ?? none;
  const split = inner.indexOf(":-");
  const head = (split < 0 ? inner : inner.slice(0, split)).trim();
  if (split < 0) {
    const given = givenPart(head, place);
    if (given !== null) return given;
    if (knows(dialect, "folder") && isFolderVariable(head)) return { kind: "folder", name: head };
  }
  const named = head.startsWith("env:") && knows(dialect, "env");
  if (!named && !knows(dialect, "name")) return none;
  const name = named ? head.slice("env:".length).trim() : head;
  if (!isVariableName(name)) return none;
  const fallback = split < 0 ? null : place.parse(inner.slice(split + 2), inside(place));
  return { kind: "variable", name, fallback };
}

/** A value that only the user can give. */
function givenPart(head: string, { dialect }: TemplatePlace): TemplatePart | null {
  if (head.startsWith("input:")) {
    const id = head.slice("input:".length).trim();
    return id === "" ? null : { kind: "input", id, variable: inputVariable(id), secret: false };
  }
  if (!head.startsWith("secret:") || !knows(dialect, "secret")) return null;
  return secretPart(head.slice("secret:".length).trim());
}

function secretPart(name: string): TemplatePart | null {
  if (!/^[A-Za-z_][\w.-]*$/.test(name)) return null;
  return { kind: "input", id: name, variable: name, secret: true };
}

/** `${{ secrets.NAME }}` and `${{ inputs.id }}`. */
function readExpression(text: string, at: number): FoundPart {
  const close = text.indexOf("}}", at);
  const end = close < 0 ? text.length : close + 2;
  const [, kind, id = ""] = /^\$\{\{\s*(secrets|inputs)\.([\w.-]+)\s*\}\}$/
    .exec(text.slice(at, end)) ?? [];
  const part: TemplatePart | null = kind === "secrets"
    ? secretPart(id)
    : kind === "inputs"
    ? { kind: "input", id, variable: inputVariable(id), secret: false }
    : null;
  if (part !== null) return { part, end };
  // What follows the name may be a literal value.
  const name = /^\$\{\{\s*[\w.]*/.exec(text.slice(at, at + SHOWN_LENGTH))?.[0] ?? "";
  return { part: { kind: "unknown", shown: `${name}…` }, end };
}

/** The content of a file; `null` for a path that cannot be read as one. */
function filePart(written: string, place: TemplatePlace): TemplatePart | null {
  if (place.nesting > MAX_NESTING) return null;
  const path = place.parse(written.trim(), inside(place));
  const isPath = path.length > 0 &&
    path.flatMap(withInner).every(({ kind }) =>
      kind !== "file" && kind !== "command" && kind !== "unknown"
    );
  return isPath ? { kind: "file", path } : null;
}

function inside(place: TemplatePlace): TemplatePlace {
  return { ...place, nesting: place.nesting + 1 };
}

function unknown(placeholder: string): TemplatePart {
  return { kind: "unknown", shown: shortened(placeholder) };
}

/** The begin of a placeholder; a default is left out, as it may be a secret. */
function shortened(placeholder: string): string {
  const isClosed = placeholder.endsWith("}");
  const split = placeholder.search(/[-:?+=]/);
  const isNamespace = /^\$?\{\w+:\w/.test(placeholder);
  const end = split < 0 || isNamespace ? placeholder.length : split;
  const shown = placeholder.slice(0, Math.min(end, SHOWN_LENGTH));
  if (shown === placeholder) return shown;
  return `${shown}…${isClosed ? "}" : ""}`;
}

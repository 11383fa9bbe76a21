import type { PlaceholderDialect } from "../model/source.ts";
import { closingBraces, readBraces, readCurly, readEscape } from "./placeholder_braces.ts";
import { knows } from "./placeholder_dialects.ts";
import type { FoundPart, TemplatePart, TemplatePlace } from "./placeholder_parts.ts";
import { readDollar, readPercent } from "./placeholder_signs.ts";

/**
 * Takes a text apart; what it may hold is for the dialect alone to say. Where `${` begins a
 * placeholder it always does: one that is not known is a part of its own and never plain text.
 *
 * @param map Which map of the definition the text belongs to: some placeholders stand only there.
 */
export function parseTemplate(
  text: string,
  dialect: PlaceholderDialect,
  map: "env" | "headers" | null = null,
): readonly TemplatePart[] {
  if (map !== null && text.startsWith("!") && knows(dialect, "bang")) {
    return [{ kind: "command", command: text.slice(1).trim() }];
  }
  return parse(text, { dialect, map, nesting: 0, parse });
}

/**
 * A text in the dialect `common` or `hotplug` that means exactly the given one, whatever in it looks
 * like a placeholder. In `hotplug`, a value of `env` or `headers` that begins with `!` still is a
 * command.
 */
export function escapeLiteral(text: string): string {
  const closing = closingBraces(text);
  let escaped = "";
  let at = 0;
  while (true) {
    const start = text.indexOf("${", at);
    if (start < 0) return escaped + text.slice(at);
    // What stands up to the brace that closes it is left alone when it is read, too.
    const end = closing(start + 1) + 1;
    escaped += `${text.slice(at, start)}$${text.slice(start, end)}`;
    at = end;
  }
}

function parse(
  text: string,
  around: Omit<TemplatePlace, "closing">,
): readonly TemplatePart[] {
  const place: TemplatePlace = { ...around, closing: closingBraces(text) };
  const parts: TemplatePart[] = [];
  const signs = /[$%{]/g;
  let plain = "";
  let at = 0;
  while (true) {
    signs.lastIndex = at;
    const start = signs.exec(text)?.index ?? text.length;
    plain += text.slice(at, start);
    if (start === text.length) break;
    const found = readAt(text, start, place) ??
      { part: { kind: "text", text: text[start] ?? "" }, end: start + 1 };
    if (found.part.kind === "text") plain += found.part.text;
    else {
      if (plain !== "") parts.push({ kind: "text", text: plain });
      plain = "";
      parts.push(found.part);
    }
    at = found.end;
  }
  if (plain !== "") parts.push({ kind: "text", text: plain });
  return parts;
}

/** The placeholder at an offset; `null` where plain text stands. */
function readAt(text: string, at: number, place: TemplatePlace): FoundPart | null {
  if (text[at] === "{") return readCurly(text, at, place);
  if (text[at] === "%") return readPercent(text, at, place);
  if (text[at + 1] === "$") return readEscape(text, at, place);
  return text[at + 1] === "{" ? readBraces(text, at, place) : readDollar(text, at, place);
}

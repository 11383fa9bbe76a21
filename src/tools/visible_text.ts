import { cutToWidth } from "./display_width.ts";
import { replaceHidden } from "./hidden_characters.ts";

/** How {@linkcode printable} shows a text. */
export interface PrintableOptions {
  /** Keep line breaks and tabs; else they are shown escaped. Default `false`. */
  readonly multiline?: boolean;
  /** Columns at most, per line; longer ones are cut and end in `…`. Default: no limit. */
  readonly maxWidth?: number;
}

/** Texts that need no escape at all. */
const PLAIN = /^[\x20-\x7e]*$/;

/** Control characters, line and paragraph separators, and halves of surrogate pairs. */
// deno-lint-ignore no-control-regex -- finding control characters is the purpose
const UNPRINTABLE = /[\x00-\x1f\x7f-\x9f\u{2028}\u{2029}\p{Surrogate}]/gu;

/** Usual escapes of control characters. */
const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\x1b", "\\x1b"],
]);

/**
 * A server's text as a terminal may show it: control, direction and invisible characters stand
 * there escaped (`\u{202e}`), so that a text can neither drive the terminal nor look like another.
 */
export function printable(text: string, options: PrintableOptions = {}): string {
  const { multiline = false, maxWidth } = options;
  if (!multiline) {
    // What lies far beyond the cut cannot show: a description of many kilobytes stays cheap.
    const head = maxWidth === undefined ? text : text.slice(0, maxWidth * 16 + 64);
    const line = escaped(head);
    if (maxWidth === undefined) return line;
    return cutToWidth(head.length < text.length ? `${line}…` : line, maxWidth);
  }
  const lines = text.replaceAll("\r\n", "\n").split("\n").map((line) =>
    line.split("\t").map(escaped).join("\t")
  );
  if (maxWidth === undefined) return lines.join("\n");
  return lines.map((line) => cutToWidth(line.replaceAll("\t", "    "), maxWidth)).join("\n");
}

function escaped(text: string): string {
  if (PLAIN.test(text)) return text;
  return replaceHidden(text, escapeCharacter).replace(UNPRINTABLE, escapeCharacter);
}

function escapeCharacter(character: string): string {
  const short = SHORT_ESCAPES.get(character);
  return short ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

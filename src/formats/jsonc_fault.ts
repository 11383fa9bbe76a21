import { type ParseErrorCode, printParseErrorCode } from "jsonc-parser";
import type { Place } from "./place.ts";

/** What the parser's codes mean to somebody who looks at the file. */
const EXPECTED: Readonly<Record<string, string>> = {
  InvalidNumberFormat: "a number",
  UnexpectedEndOfNumber: "another digit",
  PropertyNameExpected: "a name in double quotes",
  ValueExpected: "a value",
  ColonExpected: '":"',
  EndOfFileExpected: "the end of the text",
  UnexpectedEndOfComment: '"*/" at the end of the comment',
  UnexpectedEndOfString: "double quotes at the end of the string, on the same line",
  InvalidUnicode: 'four hex digits after "\\u" (a backslash itself is written twice)',
  InvalidEscapeCharacter:
    'one of "\\/bfnrtu" after the backslash (a backslash itself is written twice)',
  InvalidCharacter: "no control character in a string (write it as an escape such as \\t)",
};

/**
 * Says what was expected and what was found, as a clause. Never quotes the text.
 *
 * @param opened Where the object or array begins that ends too early.
 */
export function jsoncFault(
  code: ParseErrorCode,
  text: string,
  offset: number,
  length: number,
  opened: Place | undefined,
): string {
  const name = printParseErrorCode(code);
  const found = foundAt(text, offset, length);
  switch (name) {
    case "CommaExpected":
      return `expected "," or the end of the object or array, found ${found}`;
    case "CloseBraceExpected":
      return `expected ${closing("}", "{", opened)}, found ${found}`;
    case "CloseBracketExpected":
      return `expected ${closing("]", "[", opened)}, found ${found}`;
    case "InvalidSymbol":
      return `expected a value, or a name in double quotes, found ${found}`;
    case "UnexpectedEndOfComment":
    case "UnexpectedEndOfString":
    case "InvalidUnicode":
    case "InvalidEscapeCharacter":
    case "InvalidCharacter":
      return `expected ${EXPECTED[name]}`;
    default:
      return `expected ${EXPECTED[name] ?? "JSON"}, found ${found}`;
  }
}

function closing(bracket: string, partner: string, opened: Place | undefined): string {
  if (opened === undefined) return `"${bracket}"`;
  return `"${bracket}" for the "${partner}" that begins at line ${opened.line}, ` +
    `column ${opened.column}`;
}

/** The kind of what stands at an offset. */
function foundAt(text: string, offset: number, length: number): string {
  if (length === 0 || offset >= text.length) return "the end of the text";
  const first = text.charAt(offset);
  if ("{}[],:".includes(first)) return `"${first}"`;
  if (first === '"') return "a string";
  if (first === "'" || first === "`") return "a string in other quotes";
  if (/^-?\d/.test(text.slice(offset, offset + 2))) return "a number";
  return /[\p{L}_$]/u.test(first) ? "a word without quotes" : "a character that JSON does not know";
}

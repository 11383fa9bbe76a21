import type { TomlError } from "smol-toml";
import { TOO_DEEP } from "./json_scan.ts";
import type { Place } from "./place.ts";

const WINDOWS_PATH = "(a Windows path: write it in single quotes or with forward slashes)";
const REPEATED_TABLE = "expected a new table, found one that is already defined further up (put " +
  "its keys into one table)";
const REPEATED_KEY = "expected a new key, found one that is already defined further up";
const CLOSING = '"," or the end of the array or inline table';

/** What the parser's messages begin with, and what they mean to somebody who looks at the file. */
const FAULTS: readonly (readonly [start: string, clause: string])[] = [
  ["unrecognised escape", `expected one of btnferuUx"\\ after the backslash ${WINDOWS_PATH}`],
  ["invalid non-hex", `expected hex digits after "\\x", "\\u" or "\\U" ${WINDOWS_PATH}`],
  ["invalid unicode", `expected a Unicode character after "\\u" or "\\U" ${WINDOWS_PATH}`],
  ["invalid escape: only", `expected the end of the line after the backslash ${WINDOWS_PATH}`],
  ["control characters are not allowed in comments", "expected no control character in a comment"],
  ["unfinished string", "expected quotes at the end of the string"],
  ["document contains excessively", TOO_DEEP],
  ["unfinished table", 'expected "}" at the end of the inline table'],
  ["unfinished array", 'expected "]" at the end of the array'],
  ["expected comma", `expected ${CLOSING}`],
  ["expected end of table array", 'expected "]]" at the end of the table name'],
  ["each key-value", "expected the end of the line after the value or table name"],
  ["unexpected end of key", 'expected a key before "="'],
  ["illegal empty bare key", "expected a key before the dot"],
  ["illegal quoted key", "expected a key in single or double quotes, found three quotes"],
  [
    "illegal character in key",
    'expected "=" after the key (a key with other characters than A-Z, ' +
    'a-z, 0-9, "_" and "-" is written in quotes)',
  ],
  ["incomplete key-value", 'expected "=" and a value after the key'],
  [
    "invalid value",
    "expected a value (text is written in quotes, true and false in small letters)",
  ],
  ["illegal leading zero", "expected a number without a leading zero"],
  ["illegal underscore", "expected digits on both sides of the underscore"],
  [
    "illegal character in numeric",
    "expected a number, found another character in it (text is " +
    "written in quotes)",
  ],
  ["unfinished numeric", "expected another digit"],
  ["invalid date", "expected a date or time such as 2026-01-31T08:00:00Z"],
];

/** Says what was expected and where. Never quotes the text, as the parser's own message does. */
export function tomlFault(
  error: TomlError,
  text: string,
): { readonly message: string; readonly place: Place } {
  const place = { line: error.line, column: error.column };
  const said = error.message.replace(/^Invalid TOML document: /, "");
  const line = text.split(/\r?\n/)[place.line - 1] ?? "";
  if (said.startsWith("trying to redefine")) {
    const isTable = /^[ \t]*\[/.test(line);
    return { message: isTable ? REPEATED_TABLE : REPEATED_KEY, place };
  }
  if (said.startsWith("control characters are not allowed in strings")) {
    const atLineEnd = place.column > line.length;
    const message = atLineEnd
      ? "expected quotes at the end of the string, on the same line"
      : "expected no control character in a string (write it as an escape such as \\u0007)";
    return { message, place };
  }
  if (said.startsWith("incomplete key-value") && line.trimStart().startsWith("[")) {
    return { message: 'expected "]" at the end of the table name', place };
  }
  const clause = FAULTS.find(([start]) => said.startsWith(start))?.[1];
  return { message: clause ?? "expected TOML", place };
}

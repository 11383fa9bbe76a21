import type { ErrorInfo } from "../model/errors.ts";

/** The longest name of a server, in characters. */
const LONGEST_NAME = 128;

/** Control characters, line separators and halves of surrogate pairs. */
// deno-lint-ignore no-control-regex -- control characters are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]/u;
/** Characters that turn the direction of text around, so that a name reads as another. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
/** Characters without a shape, so that two names look the same: zero-width space, word joiner, BOM, tags. */
const INVISIBLE = /[\u200b\u2060\ufeff\u{e0000}-\u{e007f}]/u;

/** Why a server cannot have this name, or `null`. The message never holds the name itself. */
export function nameProblem(name: string): ErrorInfo | null {
  const fault = nameFault(name);
  if (fault === null) return null;
  return {
    code: "config-invalid",
    message: `Cannot use the name of this server: ${fault}`,
    hint: `Give it a name of 1 to ${LONGEST_NAME} letters, digits, "-", "_" or "."`,
  };
}

function nameFault(name: string): string | null {
  if (name.trim() === "") return "it is empty";
  if ([...name].length > LONGEST_NAME) return `it has more than ${LONGEST_NAME} characters`;
  if (name.startsWith("-")) return `it starts with "-" and could be taken for an option`;
  if (CONTROL.test(name)) return "it holds a control character";
  if (BIDI.test(name)) return "it holds a character that turns the direction of text";
  if (INVISIBLE.test(name)) return "it holds an invisible character";
  return null;
}

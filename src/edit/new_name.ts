import type { ErrorInfo } from "../model/errors.ts";

/** What a new name may hold: nothing that a shell, a table or a tool's name would take apart. */
const PLAIN = /^[\p{L}\p{M}\p{N}._/:@+-]*$/u;

/**
 * Why a server that is not there yet cannot get this name, or `null`. Files may hold others, which
 * are read and edited all the same. The message never holds the name itself.
 */
export function newNameProblem(name: string): ErrorInfo | null {
  if (PLAIN.test(name)) return null;
  const fault = /\s/.test(name)
    ? "it holds white space"
    : /["'`]/.test(name)
    ? "it holds a quotation mark"
    : "it holds a character that means something to a shell";
  return {
    code: "config-invalid",
    message: `Cannot use the name of a new server: ${fault}`,
    hint: 'Give it a name of letters, digits, "-", "_", ".", ":", "/" and "@"',
  };
}

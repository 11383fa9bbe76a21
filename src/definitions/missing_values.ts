import type { ErrorInfo } from "../model/errors.ts";

/** A value that only the user can give, and has not. */
export interface MissingValue {
  /** The field that it stands in, such as `env.TOKEN`. */
  readonly field: string;
  /** Its name in the file. */
  readonly id: string;
  /** The environment variable that it would be taken from. */
  readonly variable: string;
  /** Whether the file calls it a secret. */
  readonly secret: boolean;
}

/** What is said about all such values of a definition at once; there must be at least one. */
export function missingProblem(missing: readonly MissingValue[]): ErrorInfo {
  const fields = listed(missing.map(({ field }) => field));
  const ids = listed(missing.map(({ id }) => id));
  const variables = listed(missing.map(({ variable }) => variable));
  const kind = missing.every(({ secret }) => secret) ? "secret" : "value";
  return {
    code: "missing-variable",
    message: `Cannot expand ${fields.text}: the ${kind}${ids.ending} ${ids.text} must be given ` +
      "by the user",
    hint: `Set the variable${variables.ending} ${variables.text} in the environment`,
  };
}

/** Words in quotes, each once, and the ending of the noun before them. */
function listed(words: readonly string[]): { readonly text: string; readonly ending: string } {
  const quoted = [...new Set(words)].map((word) => `"${word}"`);
  const last = quoted.at(-1) ?? "";
  const text = quoted.length < 2 ? last : `${quoted.slice(0, -1).join(", ")} and ${last}`;
  return { text, ending: quoted.length < 2 ? "" : "s" };
}

import { withoutScheme } from "../definitions/secret_words.ts";

/** Texts that documentation puts where the user's own value belongs. */
const EXAMPLES: readonly RegExp[] = [
  /^<[^<>]{1,60}>$/,
  /^\[(?:your|insert|enter|replace)\b[^[\]]{0,60}\]$/i,
  /^(?:your|my|insert|enter|replace|put|change|add)[-_ .].{0,40}(?:key|token|secret|password|pat|id|url|here|value)$/i,
  /^(?:your|insert|enter)[-_ ](?:own[-_ ])?\w[\w -]{0,30}$/i,
  /^(?:[\w-]+[-_])?x{4,}$/i,
  /^\*{3,}$/,
  /^\.{3,}$|^…$/,
  /^(?:change_?-?me|replace_?-?me|to_?-?do|tbd|placeholder|fixme)$/i,
  /^(?:[A-Za-z]:)?[\\/]?path[\\/]to[\\/].*/i,
];

/**
 * Whether a value is what an example has in its place, such as `YOUR_API_KEY`, `<token>` or
 * `/path/to/folder`, perhaps after a scheme such as `Bearer`.
 */
export function isExampleText(value: string): boolean {
  const text = withoutScheme(value.trim());
  return text.length <= 200 && EXAMPLES.some((pattern) => pattern.test(text));
}

import { maskArguments } from "../definitions/secret_arguments.ts";
import { shownUrl } from "../definitions/shown_url.ts";

/** Longest part of a rule that is shown, in UTF-16 units. */
const LONGEST = 60;

/** What a rule names, as its file has it. */
export interface RuleTexts {
  /** Name of the server. */
  readonly name: string | null;
  /** Pattern of addresses. */
  readonly url: string | null;
  /** Command line, word by word. */
  readonly command: readonly string[] | null;
}

/**
 * What a rule says, for the rows that it blocks: `name x, command npx *`. Long parts are cut, what
 * looks like a secret is masked, and what would steer a terminal is a question mark.
 */
export function shownRule({ name, url, command }: RuleTexts): string {
  const parts: readonly (readonly [string, string | null])[] = [
    ["name", name],
    ["url", url === null ? null : shownUrl(url)],
    ["command", command === null ? null : maskArguments(command).map(shownWord).join(" ")],
  ];
  return parts.flatMap(([key, text]) => text === null ? [] : [`${key} ${harmless(text)}`])
    .join(", ");
}

/** A word of a command line; quotes show where one with blanks ends. */
function shownWord(word: string): string {
  return word === "" || /[\s"]/.test(word) ? JSON.stringify(word) : word;
}

function harmless(text: string): string {
  const shown = text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "?");
  const letters = [...shown];
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join("")}…` : shown;
}

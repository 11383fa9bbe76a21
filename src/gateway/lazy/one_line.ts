import { modelText } from "../../tools/model_text.ts";

/** Most characters of a server's name as a model gets it. */
export const LONGEST_SERVER = 64;

/**
 * A server's text on one line of at most so many characters, with a mark where it was cut: nothing
 * in it can look like a line of somebody else's. Pure.
 */
export function oneLine(text: string, most: number): string {
  // What lies far beyond the cut cannot show.
  const line = modelText(text.slice(0, most * 8 + 64)).replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  const characters = [...line];
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join("").trimEnd()}…`;
}

/** A name that somebody else chose, as it stands in a sentence: quoted, on one line. Pure. */
export function quotedName(name: string): string {
  return JSON.stringify(oneLine(name, LONGEST_SERVER));
}

import { sizeText } from "../tools/base64_data.ts";

/** Most characters of one text that a terminal is given: some 600 full lines. */
const MAX_CHARACTERS = 50_000;

/**
 * A text cut for a terminal, at a line's end where one is near.
 * @returns The text, and what to say about the cut; `null` when nothing was cut.
 */
export function cutForTerminal(
  text: string,
): { readonly text: string; readonly cut: string | null } {
  if (text.length <= MAX_CHARACTERS) return { text, cut: null };
  const head = text.slice(0, MAX_CHARACTERS).replace(/[\ud800-\udbff]$/, "");
  const lineEnd = head.lastIndexOf("\n");
  const kept = lineEnd > MAX_CHARACTERS / 2 ? head.slice(0, lineEnd) : head;
  const shown = sizeText(kept.length);
  return {
    text: kept,
    cut: `the first ${shown} of ${
      sizeText(text.length)
    } are shown; write to a file or pipe for all`,
  };
}

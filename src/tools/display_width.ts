/** Columns of a terminal that a text takes, and cutting by them. */

/**
 * The common case: what has one column each and joins with nothing, namely ASCII, Latin, Greek and
 * Cyrillic letters, punctuation such as dashes and quotes, currency signs, arrows, mathematical
 * signs and line drawing. It is told by this pattern, since the first use of a segmenter takes
 * nearly ten milliseconds.
 */
const PLAIN =
  /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u22ff\u2500-\u259f]*$/;

/** Two columns: emoji shown as pictures, East Asian wide and full-width forms (UAX 11). */
const WIDE =
  /\p{Emoji_Presentation}|\p{Emoji}\u{fe0f}|[\u{1100}-\u{115f}\u{2e80}-\u{303e}\u{3041}-\u{a4cf}\u{a960}-\u{a97c}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff01}-\u{ff60}\u{ffe0}-\u{ffe6}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]/u;

/** No column of its own: combining marks, joiners and controls. */
const ZERO = /^[\p{M}\p{Cf}\p{Cc}]+$/u;

let segmenter: Intl.Segmenter | undefined;

/** Columns that a text of one line takes in a terminal. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const cluster of clusters(text)) width += clusterWidth(cluster);
  return width;
}

/**
 * The text cut to a number of columns. What is cut ends in `…`, which counts as one column; no
 * character is split. A width below 1 gives an empty text.
 */
export function cutToWidth(text: string, width: number): string {
  if (width < 1) return "";
  if (PLAIN.test(text)) return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
  let kept = "";
  let used = 0;
  /** Longest beginning that leaves a column for the dots. */
  let cut = "";
  for (const cluster of clusters(text)) {
    used += clusterWidth(cluster);
    if (used > width) return `${cut}…`;
    kept += cluster;
    if (used <= width - 1) cut = kept;
  }
  return text;
}

/** The same, but the end of the text stays: what is cut away in front is a `…`. */
export function cutStartToWidth(text: string, width: number): string {
  if (width < 1) return "";
  if (displayWidth(text) <= width) return text;
  let kept = "";
  let used = 1;
  for (const cluster of [...clusters(text)].toReversed()) {
    used += clusterWidth(cluster);
    if (used > width) break;
    kept = cluster + kept;
  }
  return `…${kept}`;
}

/** What a reader sees as single characters, one by one: a long text may be cut early. */
function* clusters(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  for (const { segment } of segmenter.segment(text)) yield segment;
}

function clusterWidth(cluster: string): number {
  if (PLAIN.test(cluster)) return cluster.length;
  if (ZERO.test(cluster)) return 0;
  return WIDE.test(cluster) ? 2 : 1;
}

/** Columns of a terminal that a text takes, and cutting by them. */

/** Printable ASCII: one column each, the common case. */
const PLAIN = /^[\x20-\x7e]*$/;

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

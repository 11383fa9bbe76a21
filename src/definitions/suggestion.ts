/** Words longer than this are not compared: nobody mistypes them, and the time grows squared. */
const LONGEST_WORD = 64;

/**
 * The known word that a mistyped one most likely means, or `null`. Case, dashes and underscores do
 * not count; up to a third of the letters may be wrong, swapped, missing or too many. The first of
 * equally near words wins.
 */
export function closest(word: string, known: readonly string[]): string | null {
  const wanted = folded(word);
  if (wanted === "" || wanted.length > LONGEST_WORD) return null;
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of known) {
    const text = folded(candidate);
    if (Math.abs(text.length - wanted.length) >= bestDistance) continue;
    const distance = editDistance(wanted, text);
    // A word of which every letter is wrong is no likely slip, however short it is.
    if (distance < bestDistance && distance < Math.max(wanted.length, text.length)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

function folded(text: string): string {
  return text.toLowerCase().replace(/[_-]/g, "");
}

/** Damerau–Levenshtein distance: edits of one letter, and swaps of two neighbours. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}

/**
 * Tells whether a pattern fits a whole text: `*` stands for any text, also none; all else for
 * itself. Takes time of the order of both lengths' product at worst, so a hostile pattern cannot
 * hold the program up as a regular expression could.
 *
 * @param single Character of the pattern that stands for any one UTF-16 unit. Default: none does.
 */
export function wildcardMatches(
  pattern: string,
  text: string,
  single: string | null = null,
): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < text.length) {
    if (pattern[p] === "*") {
      star = p++;
      resume = t;
    } else if (p < pattern.length && (pattern[p] === single || pattern[p] === text[t])) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}

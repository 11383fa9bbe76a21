/**
 * Tells whether a pattern fits a whole text: `*` stands for any text, also none; all else for
 * itself. Takes time of the order of both lengths' product at worst.
 */
export function wildcardMatches(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < text.length) {
    if (pattern[p] === "*") {
      star = p++;
      resume = t;
    } else if (p < pattern.length && pattern[p] === text[t]) {
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

/** The same, and upper and lower case are one. */
export function looselyMatches(pattern: string, text: string): boolean {
  return wildcardMatches(pattern.toLowerCase(), text.toLowerCase());
}

/** The same as {@linkcode wildcardMatches} for paths with `/`, of which a `*` crosses none. */
export function pathMatches(pattern: string, path: string): boolean {
  const names = path.split("/");
  const patterns = pattern.split("/");
  return names.length === patterns.length &&
    patterns.every((one, index) => wildcardMatches(one, names[index] ?? ""));
}

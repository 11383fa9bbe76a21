/**
 * Splits a line into words as a shell would for plain text: blanks part words, single and double
 * quotes keep them, a backslash outside of single quotes keeps a blank, a quote or a backslash.
 * Any other backslash stands for itself, as in Windows paths. Nothing is expanded.
 */
export function splitCommandLine(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote = "";
  for (let at = 0; at < line.length; at++) {
    const unit = line.charAt(at);
    const next = line.charAt(at + 1);
    if (quote !== "" && unit === quote) {
      quote = "";
    } else if (quote !== "'" && unit === "\\" && next !== "" && ` \t"'\\`.includes(next)) {
      word = (word ?? "") + next;
      at++;
    } else if (quote !== "") {
      word = (word ?? "") + unit;
    } else if (unit === '"' || unit === "'") {
      quote = unit;
      word ??= "";
    } else if (/\s/.test(unit)) {
      if (word !== null) words.push(word);
      word = null;
    } else {
      word = (word ?? "") + unit;
    }
  }
  if (word !== null) words.push(word);
  return words;
}

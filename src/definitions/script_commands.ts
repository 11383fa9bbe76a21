/** What ends a command in a script, between quotes or not followed. */
const ENDS = /[;&|\n()`]/;

/**
 * The commands of a shell's script, each as its words, quotes and escapes taken off: `cd /x` and
 * `mcp serve` of `cd /x && mcp serve`. Nothing is expanded; where a file is redirected to counts as
 * a word. Pure.
 *
 * @param escape What the shell puts before a character that stands for itself.
 */
export function scriptCommands(script: string, escape = "\\"): readonly (readonly string[])[] {
  const commands: string[][] = [];
  let words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  const endWord = (): void => {
    if (word !== null) words.push(word);
    word = null;
  };
  for (let at = 0; at < script.length; at++) {
    const character = script.charAt(at);
    if (character === escape && quote !== "'") {
      word = (word ?? "") + script.charAt(++at);
    } else if (character === quote) {
      quote = null;
    } else if (quote !== null) {
      word = (word ?? "") + character;
    } else if (/["']/.test(character)) {
      quote = character;
      word ??= "";
    } else if (character === "#" && word === null) {
      const end = script.indexOf("\n", at);
      at = end < 0 ? script.length : end - 1;
    } else if (ENDS.test(character)) {
      endWord();
      commands.push(words);
      words = [];
    } else if (/[\s<>]/.test(character)) {
      endWord();
    } else {
      word = (word ?? "") + character;
    }
  }
  endWord();
  return [...commands, words].filter((command) => command.length > 0);
}

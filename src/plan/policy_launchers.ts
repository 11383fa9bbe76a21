import { programName } from "../definitions/program_name.ts";

/** Programs that run what their arguments name. */
const LAUNCHERS: ReadonlySet<string> = new Set(
  ("nohup setsid nice ionice timeout time stdbuf sudo doas xargs exec command busybox " +
    "npx bunx pnpx uvx pipx npm pnpm yarn bun uv").split(" "),
);

/** Programs that run a script, every word of which may name a program; `env -S` splits one, too. */
const SHELLS: ReadonlySet<string> = new Set(
  "env sh bash dash zsh ksh ash fish cmd powershell pwsh".split(" "),
);

/** What each interpreter puts before a character that stands for itself; all others: `\`. */
const ESCAPES: Readonly<Record<string, string>> = { cmd: "^", powershell: "`", pwsh: "`" };

/** How deep scripts may stand in scripts. */
const MAX_DEPTH = 4;

/** A package's name without the version that is asked for: `name` of `name@1.2.3`. */
export function withoutVersion(word: string): string {
  return word.replace(/(?<=.)@[^@/]*$/, "");
}

/**
 * The command lines that a command line may run besides itself: what follows a launcher such as
 * `env X=1`, `nohup` or `npx`, and what stands in the script of a shell. Each begins somewhere
 * behind the launcher, since which of its words are options differs from program to program; a
 * rule that denies finds the one that is meant among them. Of each only the first words are given,
 * `length` of them, so that a script of many words costs no more than it is long.
 *
 * Not covered is what cannot be read off the words: variables, substitutions and aliases in
 * scripts, encoded scripts, a script in a file, other interpreters (`node -e`), launchers that are
 * not known here, and a copy of a program under another name.
 */
export function* launchedBy(
  argv: readonly string[],
  length: number,
): Generator<readonly string[]> {
  const [head = "", ...words] = argv;
  const name = programName(head).toLowerCase();
  if (!SHELLS.has(name) && !LAUNCHERS.has(name)) return;
  yield* linesIn(words, SHELLS.has(name) ? ESCAPES[name] ?? "\\" : null, length, 0);
}

/** @param shell What the shell that reads these words escapes with; `null` when none reads them. */
function* linesIn(
  words: readonly string[],
  shell: string | null,
  length: number,
  depth: number,
): Generator<readonly string[]> {
  let escape = shell;
  for (const [index, word] of words.entries()) {
    if (escape !== null && depth < MAX_DEPTH) {
      yield* linesIn(scriptWords(word, escape), null, length, depth + 1);
    }
    yield words.slice(index, index + length);
    const name = programName(word).toLowerCase();
    if (SHELLS.has(name)) escape = ESCAPES[name] ?? "\\";
  }
}

/** The words of a script, quotes and escapes taken off, whatever stands between them. */
function scriptWords(script: string, escape: string): readonly string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (let at = 0; at < script.length; at++) {
    const character = script[at] ?? "";
    if (character === escape && quote !== "'") word = (word ?? "") + (script[++at] ?? "");
    else if (character === quote) quote = null;
    else if (quote === null && /["']/.test(character)) {
      quote = character;
      word ??= "";
    } else if (quote === null && /[\s;&|<>(){}`]/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? "") + character;
  }
  return word === null ? words : [...words, word];
}

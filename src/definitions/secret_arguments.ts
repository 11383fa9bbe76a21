import type { ArgumentView } from "./argument_view.ts";
import { reviewedWords, wordsView } from "./argument_words.ts";
import { argumentView } from "./secret_options.ts";
import { isOpaqueWord, isPlainWord } from "./secret_words.ts";

/**
 * Arguments for humans: what looks like a secret is replaced, placeholders stay.
 * @param program What is started with them, where it is not the first of them. Default unknown.
 */
export function maskArguments(args: readonly string[], program: string = ""): readonly string[] {
  return views(args, program).map(({ shown }) => wordsView(shown).shown);
}

/**
 * Arguments for a human who decides whether they may run: a secret is replaced only when it is one
 * plain word. `sh -c "TOKEN=x; …"` must not hide what it runs behind the name of a secret, and
 * `-e NODE_OPTIONS=…` nothing that steers it: what is only guessed is replaced when no human would
 * choose it. In a longer text only the words are replaced that are the values themselves.
 * @param program What is started with them, where it is not the first of them. Default unknown.
 */
export function reviewedArguments(
  args: readonly string[],
  program: string = "",
): readonly string[] {
  return views(args, program).map(({ shown, secrets, guessed }, index) => {
    const argument = args[index] ?? "";
    return secrets.every(guessed === true ? isOpaqueWord : isPlainWord) || isPlainHeader(argument)
      ? reviewedWords(shown)
      : reviewedWords(argument);
  });
}

/** Whether an argument is a header with credentials: `Authorization: Bearer abc`. */
function isPlainHeader(argument: string): boolean {
  const value = /^(?:-H|--?headers?=)?[\w-]+:\s*(?:Bearer|Basic|Token|ApiKey)\s+(\S+)$/i
    .exec(argument)?.[1];
  return value !== undefined && isPlainWord(value);
}

/**
 * All that {@linkcode maskArguments} replaces in the arguments of a program, and what in a text that
 * is replaced as a whole is a secret by itself.
 * @param program What is started with them, where it is not the first of them. Default unknown.
 */
export function argumentSecrets(
  args: readonly string[],
  program: string = "",
): readonly string[] {
  return views(args, program).flatMap((view, index) => allSecrets(view, args[index] ?? ""));
}

/**
 * Those of them that are secrets by a name or by their shape. The value of a variable or header
 * whose name says nothing is replaced as well, but nobody is told that it is a secret.
 */
export function namedSecrets(args: readonly string[], program: string = ""): readonly string[] {
  return views(args, program).flatMap((view, index) =>
    allSecrets(view.guessed === true ? { ...view, secrets: [] } : view, args[index] ?? "")
  );
}

/** The secrets of an argument and of its words, each once. */
function allSecrets({ secrets }: ArgumentView, argument: string): readonly string[] {
  const isWhole = secrets.includes(argument);
  return [...new Set([...secrets, ...(isWhole ? [] : wordsView(argument).secrets)])];
}

function views(args: readonly string[], program: string): readonly ArgumentView[] {
  const words = [program, ...args];
  return args.map((argument, index) =>
    argumentView(words.slice(Math.max(0, index - 30), index + 1), argument)
  );
}

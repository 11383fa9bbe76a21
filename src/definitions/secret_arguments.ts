import type { ArgumentView } from "./argument_view.ts";
import { argumentView } from "./secret_options.ts";
import { isOpaqueWord, isPlainWord } from "./secret_words.ts";

/** Arguments for humans: what looks like a secret is replaced, placeholders stay. */
export function maskArguments(args: readonly string[]): readonly string[] {
  return views(args).map(({ shown }) => shown);
}

/**
 * Arguments for a human who decides whether they may run: a secret is replaced only when it is one
 * plain word. `sh -c "TOKEN=x; …"` must not hide what it runs behind the name of a secret, and
 * `-e NODE_OPTIONS=…` nothing that steers it: what is only guessed is replaced when no human would
 * choose it.
 */
export function reviewedArguments(args: readonly string[]): readonly string[] {
  return views(args).map(({ shown, secrets, guessed }, index) => {
    const argument = args[index] ?? "";
    return secrets.every(guessed === true ? isOpaqueWord : isPlainWord) || isPlainHeader(argument)
      ? shown
      : argument;
  });
}

/** Whether an argument is a header with credentials: `Authorization: Bearer abc`. */
function isPlainHeader(argument: string): boolean {
  const value = /^(?:-H|--?headers?=)?[\w-]+:\s*(?:Bearer|Basic|Token|ApiKey)\s+(\S+)$/i
    .exec(argument)?.[1];
  return value !== undefined && isPlainWord(value);
}

/** All that {@linkcode maskArguments} replaces in the arguments of a program. */
export function argumentSecrets(args: readonly string[]): readonly string[] {
  return views(args).flatMap(({ secrets }) => secrets);
}

/**
 * Those of them that are secrets by a name or by their shape. The value of a variable or header
 * whose name says nothing is replaced as well, but nobody is told that it is a secret.
 */
export function namedSecrets(args: readonly string[]): readonly string[] {
  return views(args).flatMap(({ secrets, guessed }) => guessed === true ? [] : secrets);
}

function views(args: readonly string[]): readonly ArgumentView[] {
  return args.map((argument, index) => argumentView(args[index - 1] ?? "", argument));
}

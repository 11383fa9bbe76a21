import { isPlaceholder, isSecretName, isTokenShaped } from "./secret_words.ts";
import { shownUrl, urlSecrets } from "./shown_url.ts";

const MASK = "***";

/** One argument as it may be shown, and the secrets in it. */
interface ArgumentView {
  readonly shown: string;
  readonly secrets: readonly string[];
}

/** Arguments for humans: what looks like a secret is replaced, placeholders stay. */
export function maskArguments(args: readonly string[]): readonly string[] {
  return views(args).map(({ shown }) => shown);
}

/**
 * Arguments for a human who decides whether they may run: a secret is replaced only when it is one
 * plain word. `sh -c "TOKEN=x; …"` must not hide what it runs behind the name of a secret.
 */
export function reviewedArguments(args: readonly string[]): readonly string[] {
  return views(args).map(({ shown, secrets }, index) => {
    const argument = args[index] ?? "";
    return secrets.every(isPlainWord) || isPlainHeader(argument) ? shown : argument;
  });
}

/**
 * Whether a text is one word in which no shell and no interpreter finds anything to run; a
 * placeholder with a default of that kind counts as a part of a word.
 */
export function isPlainWord(text: string): boolean {
  return /^(?:[\w.~+/=:@%,-]|\$\{[\w:]+(?::-[\w.~+/=:@%,-]*)?\})*$/.test(text);
}

/** Whether an argument is a header with credentials: `Authorization: Bearer abc`. */
function isPlainHeader(argument: string): boolean {
  const value = /^[\w-]+:\s*(?:Bearer|Basic|Token|ApiKey)\s+(\S+)$/i.exec(argument)?.[1];
  return value !== undefined && isPlainWord(value);
}

/** What looks like a secret in the arguments of a program. */
export function argumentSecrets(args: readonly string[]): readonly string[] {
  return views(args).flatMap(({ secrets }) => secrets);
}

function views(args: readonly string[]): readonly ArgumentView[] {
  return args.map((argument, index) => {
    const isValue = isSecretOption(args[index - 1] ?? "") && !argument.startsWith("-");
    return isValue && !isPlaceholder(argument) ? hidden(argument) : view(argument);
  });
}

/** `NAME=value`, `--option=value` or `Header: value`. */
const PAIR = /^(-{0,2}[\w.-]+)(=|:\s*)(.+)$/s;

function view(argument: string): ArgumentView {
  if (isPlaceholder(argument)) return { shown: argument, secrets: [] };
  if (isTokenShaped(argument)) return hidden(argument);
  if (/^\s*\{/.test(argument)) return jsonView(argument);
  const [, name, separator, value] = PAIR.exec(argument) ?? [];
  if (name !== undefined && separator !== undefined && value !== undefined) {
    const isHidden = (isSecretName(name) || isTokenShaped(value)) && !isPlaceholder(value);
    if (isHidden || separator === "=") {
      const inner = isHidden ? hidden(value) : view(value);
      return { shown: name + separator + inner.shown, secrets: inner.secrets };
    }
  }
  if (!argument.includes("://")) return { shown: argument, secrets: [] };
  return { shown: shownUrl(argument), secrets: urlSecrets(argument) };
}

/** An argument that is JSON, as some start programs take their settings. */
function jsonView(argument: string): ArgumentView {
  const secrets: string[] = [];
  const shown = argument.replace(
    /"([^"\\]+)"(\s*:\s*)"((?:[^"\\]|\\.)*)"/g,
    (all: string, name: string, colon: string, value: string) => {
      if (value === "" || isPlaceholder(value)) return all;
      if (!isSecretName(name) && !isTokenShaped(value)) return all;
      secrets.push(value);
      return `"${name}"${colon}"${MASK}"`;
    },
  );
  return { shown, secrets };
}

function hidden(secret: string): ArgumentView {
  return { shown: MASK, secrets: [secret] };
}

/** Whether an argument announces that the next one is a secret: `--api-key`, `-k`. */
function isSecretOption(argument: string): boolean {
  if (argument === "-k") return true;
  return /^--?[A-Za-z][\w-]*$/.test(argument) && isSecretName(argument.replace(/^-+/, ""));
}

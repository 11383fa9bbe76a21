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

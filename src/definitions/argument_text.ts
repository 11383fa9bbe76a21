import { urlsView } from "./argument_urls.ts";
import { type ArgumentView, asWritten, behind, hidden, MASK } from "./argument_view.ts";
import { connectionView } from "./connection_string.ts";
import { isPlaceholder, isSecretName, isTokenShaped } from "./secret_words.ts";

/** `NAME=value`, `--option=value` or `Header: value`. */
const PAIR = /^(-{0,2}[\w.-]+)(=|:\s*)(.+)$/s;

/** How many names may stand before a value, as in `--env=A=b`; what has more is no setting. */
const MOST_NAMES = 8;

/**
 * A text that says by itself what of it is a secret: by its shape, or by names in it.
 * @param names How many names stand before it. Default 0.
 */
export function textView(text: string, names: number = 0): ArgumentView {
  if (isPlaceholder(text)) return asWritten(text);
  if (isTokenShaped(text)) return hidden(text);
  if (/^\s*\{/.test(text)) return jsonView(text);
  const connection = connectionView(text);
  if (connection !== null) return connection;
  const [, name, separator, value] = PAIR.exec(text) ?? [];
  if (name !== undefined && separator !== undefined && value !== undefined) {
    const isNamed = isSecretName(name) || isTokenShaped(value) || names >= MOST_NAMES;
    const isHidden = isNamed && !isPlaceholder(value);
    if (isHidden) return behind(name + separator, hidden(value));
    if (separator === "=") return behind(name + separator, textView(value, names + 1));
  }
  return urlsView(text);
}

/** A text that is JSON, as some start programs take their settings. */
function jsonView(text: string): ArgumentView {
  const secrets: string[] = [];
  const shown = text.replace(
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

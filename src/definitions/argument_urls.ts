import { type ArgumentView, asWritten } from "./argument_view.ts";
import { isPlaceholder, isPlainWord } from "./secret_words.ts";
import { shownUrl, urlSecrets } from "./shown_url.ts";

/** A URL that a text begins with, perhaps after a scheme of its own as in `jdbc:postgresql://`. */
const WHOLE = /^\s*((?:[A-Za-z]\w*:)??)(?=[A-Za-z][A-Za-z0-9+.-]*:[\\/])/;
/** URLs in the midst of a text. */
const INNER = /[A-Za-z][A-Za-z0-9+.-]{0,20}:\/\/[^\s"'`]+/g;

/** A text with the secrets of the URLs in it replaced; the text itself when there are none. */
export function urlsView(text: string): ArgumentView {
  if (!text.includes("://")) return asWritten(text);
  const before = WHOLE.exec(text)?.[0];
  if (before !== undefined) {
    const url = text.slice(before.length);
    return { shown: before + shownUrl(url), secrets: secretsOf(url) };
  }
  const secrets: string[] = [];
  const shown = text.replace(INNER, (url) => {
    secrets.push(...secretsOf(url));
    return shownUrl(url);
  });
  return { shown, secrets };
}

function secretsOf(url: string): readonly string[] {
  const fragment = /#(.*)$/s.exec(url)?.[1] ?? "";
  const found = [...urlSecrets(url), ...(isPlainWord(fragment) ? [] : [fragment])];
  return found.filter((secret) => !isPlaceholder(secret));
}

import { urlsView } from "./argument_urls.ts";
import { type ArgumentView, asWritten, MASK } from "./argument_view.ts";
import { argumentView } from "./secret_options.ts";
import { isHarmlessWord, isOpaqueWord, isTokenShaped, withoutScheme } from "./secret_words.ts";

/** A word as a shell has it, with its quotes; or one quote that nothing closes. */
const WORD = /(?:"(?:[^"\\]|\\.){0,999}"|'[^']{0,999}'|[^\s;&|<>()`"'])+|["']/gs;

/** Decides whether a secret may be replaced that stands in a word of a text. */
type MayHide = (secret: string, word: string) => boolean;

/**
 * A text of several words, such as the script of `sh -c`, with the secrets in its words replaced:
 * `NAME=value`, `--option value`, `--option=value`. Of one word nothing is replaced here.
 */
export function wordsView(text: string): ArgumentView {
  if (!isLong(text)) return asWritten(text);
  const { shown, secrets } = view(text, () => true);
  return { shown, secrets: [...secrets, ...urlsView(text).secrets] };
}

/**
 * The same for a human who decides whether the text may run: only values are replaced in which
 * there is nothing to run, no place from which anything is taken, and that nothing else in the text
 * refers to.
 */
export function reviewedWords(text: string): string {
  if (!isLong(text)) return text;
  return view(text, (secret, word) => {
    const value = withoutScheme(secret);
    if (isOpaqueWord(value)) return true;
    if (isTokenShaped(value)) return /^[\w.~+=%-]+$/.test(value);
    return /^[\w~+=%-]+$/.test(value) && !isUsed(text, word);
  }).shown;
}

/** Whether a text has more than one word. */
function isLong(text: string): boolean {
  return /[\s;&|]/.test(text);
}

/** The most characters that Linux takes as one argument (`MAX_ARG_STRLEN`). */
const LONGEST_ARGUMENT = 131_072;

/**
 * Whether the variable that a word sets is named again, so that its value may run. In what is too
 * long for an argument nobody looks.
 */
function isUsed(text: string, word: string): boolean {
  if (text.length > LONGEST_ARGUMENT) return true;
  const name = /([A-Za-z_]\w*)=/.exec(word)?.[1];
  if (name === undefined || word.startsWith("-")) return false;
  return text.indexOf(name, text.indexOf(name) + name.length) >= 0;
}

function view(text: string, mayHide: MayHide): ArgumentView {
  const secrets: string[] = [];
  let shown = "";
  let end = 0;
  let before: readonly string[] = [];
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const between = text.slice(end, index);
    // Behind a sign or a line end another command begins.
    if (/[^ \t]/.test(between)) before = [];
    const one = wordView(before, word, mayHide);
    secrets.push(...one.secrets);
    shown += between + one.shown;
    end = index + word.length;
    before = [...before.slice(-30), unquoted(word)];
  }
  return { shown: shown + text.slice(end), secrets };
}

/** @param before The words of the same command before it. */
function wordView(before: readonly string[], word: string, mayHide: MayHide): ArgumentView {
  // What is shorter is harmless. URLs are looked for in the text as a whole, as they hold signs
  // that end a word.
  if (word.length < 4) return asWritten(word);
  if (word.includes("://") && !/\s/.test(word)) return asWritten(word);
  const text = unquoted(word).replace(/^\$env:/i, "");
  const found = argumentView(withoutSwitch(before), text);
  const secrets = found.guessed === true ? [] : found.secrets.filter(isTold);
  const [, quote = "", inner = ""] = /^(["'])(.*)\1$/s.exec(word) ?? [];
  const within = quote !== "" && isLong(inner) ? view(inner, mayHide) : asWritten(inner);
  const places = secrets.filter((secret) => word.includes(secret));
  const all = [
    ...secrets,
    ...within.secrets,
    // With quotes in the midst of it a secret stands in the text in another form.
    ...(places.length < secrets.length ? [word.slice(word.indexOf("=") + 1)] : []),
  ];
  if (secrets.length > 0 && secrets.every((secret) => mayHide(secret, word))) {
    if (places.length === secrets.length) {
      return { shown: places.reduce(withoutLast, word), secrets: all };
    }
    const name = /^[^"'=]*=/.exec(word)?.[0] ?? "";
    return { shown: name + MASK, secrets: all };
  }
  return quote === ""
    ? { shown: word, secrets: all }
    : { shown: quote + (within.secrets.length > 0 ? within.shown : inner) + quote, secrets: all };
}

/** The words before one, without a last one that is a switch and announces no value in a text. */
function withoutSwitch(before: readonly string[]): readonly string[] {
  const last = before.at(-1) ?? "";
  return last === "-k" || /^--?no-/.test(last) ? [...before.slice(0, -1), ""] : before;
}

/** Whether a value is more than an everyday word, a mask, or the name of a variable that has it. */
function isTold(secret: string): boolean {
  return !isHarmlessWord(secret) && !secret.includes(MASK) && !/^\$\w+$|^%\w+%$/.test(secret);
}

function withoutLast(word: string, secret: string): string {
  const at = word.lastIndexOf(secret);
  return at < 0 ? word : word.slice(0, at) + MASK + word.slice(at + secret.length);
}

function unquoted(word: string): string {
  return word.replace(
    /"((?:[^"\\]|\\.)*)"|'([^']*)'/gs,
    (_all, double?: string, single?: string) => double ?? single ?? "",
  );
}

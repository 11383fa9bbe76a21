import type { ResolvedConfig, ServerConfig } from "../model/definition.ts";
import type { JsonValue } from "../model/json.ts";
import { MASK } from "./argument_view.ts";
import { shownUrl, urlSecrets } from "./shown_url.ts";
import {
  isHarmlessWord,
  isOpaqueWord,
  isPlaceholder,
  isPlainSetting,
  isPlainWord,
  isSecretName,
  isTokenShaped,
} from "./secret_words.ts";
import { argumentSecrets, reviewedArguments } from "./secret_arguments.ts";

export { shownUrl };

/** The shortest text that is replaced: a shorter one would be found all over ordinary text. */
const SHORTEST_SECRET = 4;

/**
 * Every text in a resolved definition that must never be shown, longest first. Values of `env` and
 * `headers` count unless they are short, everyday words, or plain settings (a path, an option, a
 * number, an address) under a name that speaks of no secret. Of a URL its user info and query
 * values count; of the arguments all that is replaced where they are shown.
 *
 * @param given Texts that are secrets wherever they stand, such as the content of a file.
 */
export function secretValues(
  config: ResolvedConfig,
  given: readonly string[] = [],
): readonly string[] {
  const found = new Set<string>();
  const add = (text: string): void => {
    if (text.length >= SHORTEST_SECRET && !isHarmlessWord(text)) found.add(text);
  };
  for (const value of given) {
    add(value);
    for (const part of [...innerSecrets(value), ...urlSecrets(value)]) add(part);
  }
  for (const [name, value] of [...Object.entries(config.env), ...Object.entries(config.headers)]) {
    if (value === null) continue;
    const text = value.trim();
    for (const secret of urlSecrets(text)) add(secret);
    if (!isSecretName(name) && isPlainSetting(text)) continue;
    add(value);
    for (const part of innerSecrets(text)) add(part);
  }
  if (config.url !== undefined) { for (const secret of urlSecrets(config.url)) add(secret); }
  for (const secret of argumentSecrets(config.args ?? [], config.command)) {
    add(secret);
    for (const part of innerSecrets(secret)) add(part);
  }
  for (const setting of [config.auth, config.oauth]) {
    for (const secret of namedSecrets(setting, "")) add(secret);
  }
  return [...found].sort((a, b) => b.length - a.length);
}

/**
 * A function that replaces every secret in a text by `***`, also where JSON or a URL has escaped
 * it. Made once for many texts.
 */
export function textMasker(secrets: readonly string[]): (text: string) => string {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (secret.length < SHORTEST_SECRET) continue;
    forms.add(secret);
    const inJson = JSON.stringify(secret).slice(1, -1);
    forms.add(inJson);
    // As in the JSON that a tool gives as a text, once that is part of a message.
    forms.add(JSON.stringify(inJson).slice(1, -1));
    forms.add(encodeURIComponent(secret.toWellFormed()));
  }
  const known = [...forms].sort((a, b) => b.length - a.length);
  return (text) =>
    known.reduce(
      (masked, form) => masked.includes(form) ? masked.replaceAll(form, MASK) : masked,
      text,
    );
}

/** A text with every secret replaced by `***`, as {@linkcode textMasker} does it. */
export function maskText(text: string, secrets: readonly string[]): string {
  return textMasker(secrets)(text);
}

/**
 * Program and arguments on one line for a human who decides about them; empty for a definition
 * without a command. Single words that look like secrets are replaced, placeholders are shown as
 * written.
 */
export function shownCommandLine(config: ServerConfig): string {
  if (config.command === undefined) return "";
  return [config.command, ...reviewedArguments(config.args ?? [], config.command)].map(quoted).join(
    " ",
  );
}

/**
 * The value of a variable or header for a human who decides about it: replaced only when it is one
 * plain word that looks like a secret, since other values may steer what runs.
 */
export function shownValue(name: string, value: string): string {
  if (value.includes("://")) return quoted(shownUrl(value));
  const isHidden = isPlainWord(value) && !isPlaceholder(value) && !isHarmlessWord(value) &&
    (isTokenShaped(value) || isOpaqueWord(value) || (isSecretName(name) && !isPlainSetting(value)));
  return isHidden ? MASK : quoted(value);
}

/**
 * The secrets inside of a value: what follows `Bearer` and the like, the decoded `Basic`
 * credentials with their password, and the single lines of a key of many lines.
 */
function innerSecrets(value: string): readonly string[] {
  const found: string[] = [];
  const scheme = /^(?:[A-Za-z][\w-]*:\s*)?(Bearer|Basic|Token|ApiKey|Digest)\s+(\S+)$/i.exec(value);
  const credentials = scheme?.[2];
  if (credentials !== undefined) {
    found.push(credentials);
    if (scheme?.[1]?.toLowerCase() === "basic") found.push(...basicSecrets(credentials));
  }
  const lines = value.split(/\r\n|\r|\n/);
  // A line of a key has at least this length; "-----BEGIN" lines are no secret but do no harm.
  if (lines.length > 1) found.push(...lines.filter((line) => line.length >= 8));
  return found;
}

function basicSecrets(credentials: string): readonly string[] {
  try {
    const decoded = atob(credentials);
    return [decoded, decoded.slice(decoded.indexOf(":") + 1)];
  } catch {
    // Not base64: then there is nothing inside of it.
    return [];
  }
}

/** The texts under secret names in a free-form setting, whose depth is bounded when it is read. */
function namedSecrets(value: JsonValue | undefined, name: string): readonly string[] {
  if (typeof value === "string") return isSecretName(name) ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]: [string, JsonValue | undefined]) =>
    namedSecrets(item, Array.isArray(value) ? name : key)
  );
}

/** An argument as a shell user would write it; control characters are escaped. */
function quoted(argument: string): string {
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  return /[\s"'\\\u0000-\u001f\u007f-\u009f]|^$/.test(argument)
    ? JSON.stringify(argument)
    : argument;
}

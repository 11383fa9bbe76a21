import { argumentSecrets } from "../definitions/secret_arguments.ts";
import {
  isHarmlessWord,
  isPlaceholder,
  isPlainSetting,
  isSecretName,
  isTokenShaped,
} from "../definitions/secret_words.ts";
import { urlSecrets } from "../definitions/shown_url.ts";
import { parseText, type TextFormat } from "../formats/parse_text.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";

/** Keys whose values are given to a server, and may be secrets whatever their names. */
const VALUE_MAPS: ReadonlySet<string> = new Set([
  "env",
  "environment",
  "envs",
  "headers",
  "http_headers",
]);

/** A name and its value in any format; the scheme before a header's value is no part of it. */
const NAMED_VALUE =
  /([\w.-]+)["']?\s*[:=]\s*["']?(?:(?:Bearer|Basic|Token|Digest)\s+)?(?!(?:Bearer|Basic|Token|Digest)\s)([^\s"',;]{4,})/gi;

/** Every value of a config text that may be a secret; `null` when the text cannot be parsed. */
export async function secretsInText(
  text: string,
  format: TextFormat,
): Promise<readonly string[] | null> {
  const parsed = await parseText(text, format);
  if (!parsed.ok) return null;
  const found = new Set<string>();
  collect(parsed.document.value, "", false, found);
  return [...found];
}

/** What looks like a secret in one line of text, comments included. */
export function secretsInLine(line: string): readonly string[] {
  const tokens = line.split(/[\s"'`,;()[\]{}]+/).flatMap((word) => [
    word,
    ...word.split(/[=:]/),
  ]).filter(isTokenShaped);
  const named = [...line.matchAll(NAMED_VALUE)]
    .filter(([, name = "", value = ""]) =>
      isSecretName(name) && !isPlaceholder(value) && !isHarmlessWord(value)
    )
    // Brackets that close around the value are no part of it.
    .map(([, , value = ""]) => value.replace(/[}\])]+$/, ""));
  return [...tokens, ...named];
}

/** @param inMap Whether the value stands in a map of what a server is given. */
function collect(
  value: JsonValue | undefined,
  key: string,
  inMap: boolean,
  found: Set<string>,
): void {
  if (typeof value === "string" || typeof value === "number") {
    for (const secret of secretsOf(String(value), key, inMap)) found.add(secret);
  } else if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    const texts = items.filter((item) => typeof item === "string");
    for (const secret of argumentSecrets(texts)) if (!isHarmlessWord(secret)) found.add(secret);
    for (const item of items) collect(item, key, inMap, found);
  } else if (isJsonObject(value)) {
    for (const secret of commandSecrets(value)) found.add(secret);
    for (const [name, item] of Object.entries(value)) {
      collect(item, name, inMap || VALUE_MAPS.has(key), found);
    }
  }
}

/** The secrets among the arguments of an entry, as its program takes them. */
function commandSecrets({ command, cmd, args }: JsonObject): readonly string[] {
  const program = command ?? cmd;
  if (typeof program !== "string" || !Array.isArray(args)) return [];
  const texts = args.filter((item) => typeof item === "string");
  return argumentSecrets(texts, program).filter((secret) => !isHarmlessWord(secret));
}

function secretsOf(value: string, key: string, inMap: boolean): readonly string[] {
  const inUrl = urlSecrets(value).filter((part) => !isHarmlessWord(part) && !isPlaceholder(part));
  const text = value.trim();
  if (isHarmlessWord(text) || isPlaceholder(text)) return inUrl;
  const isNamed = isSecretName(key);
  if (!isTokenShaped(text) && !isNamed && !(inMap && !isPlainSetting(text))) return inUrl;
  return [value, ...value.split(/\r?\n/).filter((line) => line.trim().length >= 4), ...inUrl];
}

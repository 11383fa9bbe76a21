import { namedSecrets } from "../definitions/secret_arguments.ts";
import {
  isHarmlessWord,
  isPlainSetting,
  isSecretName,
  isTokenShaped,
  withoutScheme,
} from "../definitions/secret_words.ts";
import { type ConfigText, configTexts } from "../definitions/config_texts.ts";
import { type TemplatePart, withInner } from "../definitions/placeholder_parts.ts";
import { parseTemplate } from "../definitions/placeholder_syntax.ts";
import { isJsonObject, type JsonValue } from "../model/json.ts";
import type { Definition } from "../model/definition.ts";
import { isExampleText } from "./example_text.ts";

/** A shorter text is no secret of a service. */
const SHORTEST = 8;

/**
 * The fields of a definition that hold a secret as plain text, such as `env.API_KEY`: a value whose
 * name speaks of a secret, or that has the shape of a token. Placeholders, values of an example and
 * plain settings are none. Pure, and evaluates nothing.
 */
export function literalSecrets({ config, source }: Definition): readonly string[] {
  const { args = [], auth, oauth } = config;
  const plain = (text: string, map: ConfigText["map"] = null): string =>
    literalText(parseTemplate(text, source.dialect, map));
  const texts = configTexts(config).filter(({ field, map, key, text }) => {
    const literal = plain(text, map);
    if (literal === "") return false;
    if (map !== null) return isSecret(key, literal) || hasUrlSecret(literal);
    if (field === "url") return hasUrlSecret(literal);
    const at = /^args\[(\d+)\]$/.exec(field)?.[1];
    return at !== undefined &&
      isSecretArgument(config.command ?? "", args.map((arg) => plain(arg)), Number(at));
  });
  return [
    ...texts.map(({ field }) => field),
    ...secretKeys(auth, "auth", plain),
    ...secretKeys(oauth, "oauth", plain),
  ];
}

/** What stands in a text as it is, defaults of variables included. */
function literalText(parts: readonly TemplatePart[]): string {
  return parts.flatMap(withInner).map((part) => part.kind === "text" ? part.text : "").join("")
    .trim();
}

function isSecret(name: string, literal: string): boolean {
  const text = withoutScheme(literal);
  if (isTokenShaped(text)) return true;
  return isSecretName(name) && text.length >= SHORTEST && !isHarmlessWord(text) &&
    !isPlainSetting(text) && !isExampleText(text) && !/^(?:Bearer|Basic|Token|ApiKey)$/i.test(text);
}

/** Whether an argument of a program, after the one before it, is or holds a secret. */
function isSecretArgument(program: string, args: readonly string[], index: number): boolean {
  const before = args[index - 1] ?? "";
  const own = namedSecrets([before, args[index] ?? ""], program)
    .slice(namedSecrets([before], program).length);
  return own.some((secret) => secret.length >= SHORTEST && !isExampleText(secret));
}

/** Whether a URL holds a password, or a query value whose name speaks of a secret. */
function hasUrlSecret(text: string): boolean {
  const parsed = URL.canParse(text) ? new URL(text) : null;
  if (parsed === null) return false;
  if (parsed.password.length >= SHORTEST && !isExampleText(parsed.password)) return true;
  return [...parsed.searchParams].some(([name, value]) => isSecret(name, value));
}

/** Keys of a free-form setting under which a secret stands. */
function secretKeys(
  value: JsonValue | undefined,
  path: string,
  plain: (text: string) => string,
): readonly string[] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const field = `${path}.${key}`;
    if (typeof item === "string") return isSecret(key, plain(item)) ? [field] : [];
    return secretKeys(item, field, plain);
  });
}

import { namedSecrets } from "../definitions/secret_arguments.ts";
import {
  isHarmlessWord,
  isPlaceholder,
  isPlainSetting,
  isSecretName,
  isTokenShaped,
} from "../definitions/secret_words.ts";
import { urlSecrets } from "../definitions/shown_url.ts";
import type { ServerConfig } from "../model/definition.ts";
import type { JsonValue } from "../model/json.ts";

/** The fields of a server that seem to hold a secret as it is, and not by a placeholder. */
export function secretFields(config: ServerConfig): readonly string[] {
  const { env = {}, headers = {}, url = "", args = [], auth, oauth } = config;
  const values = [
    ...Object.entries(env).map(([name, value]) => [`env.${name}`, name, value] as const),
    ...Object.entries(headers).map(([name, value]) => [`headers.${name}`, name, value] as const),
  ];
  const fields: string[] = values.filter(([, name, value]) =>
    value !== null && isSecret(name, value)
  )
    .map(([field]) => field);
  if (urlSecrets(url).some((part) => !holdsPlaceholder(part) && part.length >= 8)) {
    fields.push("url");
  }
  if (namedSecrets(args, config.command).some((part) => !holdsPlaceholder(part))) {
    fields.push("args");
  }
  if (holdsSecret(auth, "")) fields.push("auth");
  if (holdsSecret(oauth, "")) fields.push("oauth");
  return fields;
}

/** Whether a text under the name of a secret stands somewhere in a free-form setting. */
function holdsSecret(value: JsonValue | undefined, name: string): boolean {
  if (typeof value === "string") return isSecret(name, value);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, item]: [string, JsonValue | undefined]) =>
    holdsSecret(item, Array.isArray(value) ? name : key)
  );
}

function isSecret(name: string, value: string): boolean {
  if (holdsPlaceholder(value) || isHarmlessWord(value)) return false;
  return isTokenShaped(value) || (isSecretName(name) && !isPlainSetting(value));
}

/** Whether a text takes a part of itself from elsewhere. */
function holdsPlaceholder(text: string): boolean {
  return isPlaceholder(text) || /\$\{|\{(?:env|file):|^[$%]\w+%?$|^!/.test(text);
}

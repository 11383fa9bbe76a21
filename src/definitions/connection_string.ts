import { type ArgumentView, MASK } from "./argument_view.ts";
import { urlsView } from "./argument_urls.ts";
import { isPlaceholder, isSecretName } from "./secret_words.ts";

/** The address that a connection string may begin with: `jdbc:sqlserver://host;…`. */
const ADDRESS = /^[A-Za-z][\w+.:-]*:\/\/[^;]*;\s*/;
/** One setting; a value in quotes or braces may hold what ends others. */
const SETTINGS = {
  ";": /([\w.-]+(?: [\w.-]+)*)( ?= ?)("[^"]{0,500}"|'[^']{0,500}'|\{[^}]{0,500}\}|[^;]*)(;\s*|$)/y,
  " ": /(\w[\w.-]*)(=)("[^"]{0,500}"|'[^']{0,500}'|\S*)(\s+|$)/y,
} as const;
/** Names of which a connection string has at least one. */
const KNOWN =
  /^(?:server|host|hostname|hostaddr|data ?source|addr|address|endpoint|database|db|dbname|initial ?catalog|driver|user|user ?id|uid|username|account ?name|default ?endpoints ?protocol)$/i;
/** A login before an address as drivers of Go write it: `user:password@tcp(host)/db`. */
const LOGIN = /^([^:@/\s]+:)(.+)(@\w*\(.*)$/s;

/**
 * A connection string with its passwords and keys replaced: `Server=…;Password=…`,
 * `host=… password=…`, `user:password@tcp(…)`. `null` for any other text.
 */
export function connectionView(text: string): ArgumentView | null {
  const [, user, password, rest] = LOGIN.exec(text) ?? [];
  if (user !== undefined && password !== undefined && rest !== undefined) {
    if (isPlaceholder(password)) return null;
    return { shown: user + MASK + rest, secrets: [password] };
  }
  return settingsView(text, ";") ?? settingsView(text, " ");
}

/** A text that is nothing but settings; `null` for any other. */
function settingsView(text: string, separator: keyof typeof SETTINGS): ArgumentView | null {
  const address = separator === ";" ? ADDRESS.exec(text)?.[0] ?? "" : "";
  const head = urlsView(address);
  const secrets = [...head.secrets];
  let shown = head.shown;
  let isKnown = address !== "";
  let count = address === "" ? 0 : 1;
  const setting = new RegExp(SETTINGS[separator]);
  setting.lastIndex = address.length;
  while (setting.lastIndex < text.length) {
    const [all, name = "", sign = "", value = "", end = ""] = setting.exec(text) ?? [];
    if (all === undefined) return null;
    const secret = /^["'{].*["'}]$/s.test(value) ? value.slice(1, -1) : value;
    const isHidden = secret !== "" && isSecretName(name.replaceAll(" ", "_")) &&
      !isPlaceholder(value);
    if (isHidden) secrets.push(secret);
    shown += isHidden ? `${name}${sign}${MASK}${end}` : all;
    isKnown ||= KNOWN.test(name);
    count++;
  }
  const isOne = count > 1 || text.trimEnd().endsWith(";");
  return isKnown && isOne ? { shown, secrets } : null;
}

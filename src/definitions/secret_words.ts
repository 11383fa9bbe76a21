/** Parts of names that say that a value is a secret. */
const SECRET_NAME = new RegExp(
  [
    "(?:token|secret|password|passwd|passphrase|api_?key|access_?key|private_?key)(?:$|[^a-z])",
    "(?:^|[^a-z])(?:pass|pwd|auth|authorization|bearer|credentials?|cookie|pat|key|jwt)(?:$|[^a-z])",
    "(?:^|[^a-z])(?:sig|signature|session)(?:$|[^a-z])",
  ].join("|"),
);
/** Ends of names that say that a value is a place or a switch and not the secret itself. */
const PLACE_NAME = /(?:path|file|dir|folder|url|uri|host|name|id|type|mode|enabled|sock)$/;
/** Shapes of tokens that well-known services give out. */
const TOKEN_SHAPE =
  /^(?:sk-|sk_live_|sk_test_|rk_live_|ghp_|gho_|ghs_|ghu_|github_pat_|glpat-|xox[a-z]-|xapp-|AKIA|ASIA|AIza|ya29\.|npm_|hf_|pypi-|dop_v1_|shpat_|sbp_|lin_api_|secret_|ntn_|figd_|eyJ[\w-]+\.)[\w.~+/=-]{6,}/;

/** Words that many settings have and no secret is. */
const HARMLESS_WORDS: ReadonlySet<string> = new Set([
  "true",
  "false",
  "null",
  "none",
  "auto",
  "default",
  "enabled",
  "disabled",
  "production",
  "development",
  "staging",
  "test",
  "debug",
  "info",
  "warn",
  "warning",
  "error",
  "trace",
  "verbose",
  "silent",
  "localhost",
  "stdio",
  "streamable-http",
  "application/json",
  "text/event-stream",
]);

/** Whether the name of a variable, header, option or parameter says that its value is a secret. */
export function isSecretName(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
  if (PLACE_NAME.test(words)) return false;
  return SECRET_NAME.test(words);
}

/** Whether a text has the shape of a token that some service gives out. */
export function isTokenShaped(text: string): boolean {
  return TOKEN_SHAPE.test(text);
}

/**
 * Whether a value surely is no secret, whatever it belongs to: shorter than four characters, a
 * truth value or another everyday word, a locale.
 */
export function isHarmlessWord(value: string): boolean {
  return value.length < 4 || HARMLESS_WORDS.has(value.toLowerCase()) ||
    /^[a-z]{2}_[A-Z]{2}(?:\.UTF-?8)?$/i.test(value);
}

/**
 * Whether a value looks like a path, an option, a number, a version, an address or one short plain
 * word: what a setting is made of rather than a secret. Counts only where no name speaks of one.
 */
export function isPlainSetting(value: string): boolean {
  if (isTokenShaped(value)) return false;
  return /^(?:~?[\\/]|\.{1,2}[\\/]|[A-Za-z]:[\\/])/.test(value) ||
    /^--?[A-Za-z][\w-]*$/.test(value) ||
    /^[-+]?\d{1,7}(?:\.\d+)*$/.test(value) ||
    /^v?\d+(?:\.\d+){1,3}$/.test(value) ||
    /^(?:https?|wss?):\/\/[^@?#\s]*$/.test(value) ||
    /^[a-z]{1,7}$/.test(value);
}

/**
 * Whether a text is nothing but placeholders, perhaps after a scheme such as `Bearer`: it may be
 * shown as written. One with a default is not, as the default may be a secret.
 */
export function isPlaceholder(text: string): boolean {
  return /^(?:[A-Za-z]+ )?(?:\$\{[^{}]*\}|\$\{\{[^{}]*\}\}|\{(?:env|file):[^{}]*\})+$/.test(text) &&
    !text.includes(":-");
}

/** A text without the scheme that stands before the credentials of a header. */
export function withoutScheme(text: string): string {
  return text.replace(/^(?:Bearer|Basic|Token|ApiKey)\s+/i, "");
}

/** Whether a text is a word that no human would choose: long, with letters and digits mixed. */
export function isOpaqueWord(text: string): boolean {
  return /^(?=.*\d)(?=.*[A-Za-z])[\w+=~-]{16,}$/.test(text);
}

/**
 * Whether a text is one word in which no shell and no interpreter finds anything to run; a
 * placeholder with a default of that kind counts as a part of a word.
 */
export function isPlainWord(text: string): boolean {
  return /^(?:[\w.~+/=:@%,-]|\$\{[\w:]+(?::-[\w.~+/=:@%,-]*)?\})*$/.test(text);
}

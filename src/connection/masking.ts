/** The shortest secret that is looked for; shorter ones would hide ordinary words. */
const SHORTEST = 4;

/** A function that replaces every known secret in a text by `***`. */
export function masker(secrets: readonly string[]): (text: string) => string {
  const known = [...new Set(secrets)].filter((secret) => secret.length >= SHORTEST)
    .sort((one, other) => other.length - one.length);
  if (known.length === 0) return (text) => text;
  return (text) => known.reduce((masked, secret) => masked.replaceAll(secret, "***"), text);
}

/** A url as it may be shown: without user, password, query and fragment. */
export function shownEndpoint(url: URL | string): string {
  const parsed = URL.parse(String(url));
  return parsed === null ? "(invalid url)" : `${parsed.origin}${parsed.pathname}`;
}

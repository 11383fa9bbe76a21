import { wildcardMatches } from "../definitions/wildcard.ts";

export { wildcardMatches };

/** The same as {@linkcode wildcardMatches}, and upper and lower case are one. */
export function looselyMatches(pattern: string, text: string): boolean {
  return wildcardMatches(pattern.toLowerCase(), text.toLowerCase());
}

/** The same as {@linkcode wildcardMatches} for paths with `/`, of which a `*` crosses none. */
export function pathMatches(pattern: string, path: string): boolean {
  const names = path.split("/");
  const patterns = pattern.split("/");
  return names.length === patterns.length &&
    patterns.every((one, index) => wildcardMatches(one, names[index] ?? ""));
}

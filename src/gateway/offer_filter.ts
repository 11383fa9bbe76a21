import { globMatches } from "../definitions/tool_filter.ts";

/** Which servers and tools a gateway offers: globs of `<server>` or `<server>/<tool>`. */
export interface OfferPatterns {
  /** Only what one of these fits; everything when there are none. */
  readonly only: readonly string[];
  /** Never what one of these fits. */
  readonly except: readonly string[];
}

/** Tells whether a server may be started: whether any of its tools can be on offer. Pure. */
export function serverOffered({ only, except }: OfferPatterns, server: string): boolean {
  if (except.some((pattern) => globMatches(pattern, server))) return false;
  return only.length === 0 ||
    only.some((pattern) =>
      globMatches(pattern, server) || serverParts(pattern).some((part) => globMatches(part, server))
    );
}

/** Tells whether a tool is on offer. Pure. */
export function toolInOffer(patterns: OfferPatterns, server: string, tool: string): boolean {
  const path = `${server}/${tool}`;
  const fits = (pattern: string): boolean =>
    globMatches(pattern, server) || globMatches(pattern, path);
  if (patterns.except.some(fits)) return false;
  return patterns.only.length === 0 || patterns.only.some(fits);
}

/**
 * Tells whether all of a server is on offer, its prompts and resources included: a pattern with a
 * slash speaks of tools alone. What such a tool links to can be read all the same. Pure.
 */
export function serverInOffer({ only, except }: OfferPatterns, server: string): boolean {
  const fits = (pattern: string): boolean => globMatches(pattern, server);
  return !except.some(fits) && (only.length === 0 || only.some(fits));
}

/** What of a pattern may be the server's name: a name may hold a slash, too. */
function serverParts(pattern: string): readonly string[] {
  return [...pattern.matchAll(/\//g)].map(({ index }) => pattern.slice(0, index));
}

import type { ServerConfig } from "../model/definition.ts";
import { wildcardMatches } from "./wildcard.ts";

/**
 * Tells whether a definition lets a tool be offered: it must match a glob of `enabledTools`, if
 * there is such a list, and none of `disabledTools`. An empty `enabledTools` offers nothing.
 */
export function toolOffered(config: ServerConfig, tool: string): boolean {
  if (config.disabledTools?.some((glob) => globMatches(glob, tool)) === true) return false;
  return config.enabledTools?.some((glob) => globMatches(glob, tool)) ?? true;
}

/** Tells whether a glob fits a whole name: `*` stands for any text, `?` for one UTF-16 unit. */
export function globMatches(glob: string, name: string): boolean {
  return wildcardMatches(glob, name, "?");
}

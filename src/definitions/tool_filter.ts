import type { ServerConfig } from "../model/definition.ts";

/**
 * Tells whether a definition lets a tool be offered: it must match a glob of `enabledTools`, if
 * there is such a list, and none of `disabledTools`. An empty `enabledTools` offers nothing.
 */
export function toolOffered(config: ServerConfig, tool: string): boolean {
  if (config.disabledTools?.some((glob) => globMatches(glob, tool)) === true) return false;
  return config.enabledTools?.some((glob) => globMatches(glob, tool)) ?? true;
}

/**
 * Tells whether a glob fits a whole name. `*` stands for any text, `?` for one UTF-16 unit; all
 * else stands for itself. Takes time of the order of both lengths' product at worst, so a hostile
 * glob cannot hold the program up as a regular expression could.
 */
export function globMatches(glob: string, name: string): boolean {
  let g = 0;
  let n = 0;
  let star = -1;
  let resume = 0;
  while (n < name.length) {
    if (glob[g] === "*") {
      star = g++;
      resume = n;
    } else if (g < glob.length && (glob[g] === "?" || glob[g] === name[n])) {
      g++;
      n++;
    } else if (star >= 0) {
      g = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (glob[g] === "*") g++;
  return g === glob.length;
}

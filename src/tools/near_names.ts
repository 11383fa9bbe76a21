import { closest } from "../definitions/suggestion.ts";
import type { Tool } from "../model/tool.ts";

/** Names suggested at most. */
const MOST = 3;

/**
 * Public names of the tools that a wrong name most likely means, likeliest first, at most three:
 * tools whose server calls them so, then names that are spelt alike.
 */
export function nearNames(name: string, tools: readonly Tool[]): readonly string[] {
  const near = new Set(tools.filter(({ info }) => info.name === name).map((tool) => tool.name));
  const left = new Set(tools.map((tool) => tool.name));
  while (near.size < MOST) {
    for (const found of near) left.delete(found);
    const next = closest(name, [...left]);
    if (next === null) break;
    near.add(next);
  }
  return [...near].slice(0, MOST);
}

/** Names for a sentence: `"a"`, `"a" or "b"`, `"a", "b" or "c"`. */
export function eitherOf(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  const last = quoted.at(-1) ?? "";
  return quoted.length < 2 ? last : `${quoted.slice(0, -1).join(", ")} or ${last}`;
}

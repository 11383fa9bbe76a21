import { globMatches } from "../definitions/tool_filter.ts";
import type { Tool } from "../model/tool.ts";

/** In front of the name of a server. */
const SERVER = "mcp:";

/** What {@linkcode chooseTools} found. */
export interface ChosenTools {
  /** The chosen tools, in the order given. */
  readonly tools: readonly Tool[];
  /** Patterns that fit no tool, as written: a slip, or a server that offers nothing now. */
  readonly unknown: readonly string[];
}

/**
 * Chooses tools by patterns, such as those of a subagent. A pattern is a public name; `mcp:` and
 * the name of a server, for all of its tools; either with `*` for any text and `?` for any one
 * character; or any of these behind `!`, which takes its tools away whatever else names them. With
 * nothing but such exceptions all other tools are chosen; with no pattern at all, none. Pure.
 */
export function chooseTools(tools: readonly Tool[], patterns: readonly string[]): ChosenTools {
  const chosen = new Set<Tool>();
  const denied = new Set<Tool>();
  const unknown: string[] = [];
  for (const pattern of patterns) {
    const isDenial = pattern.trim().startsWith("!");
    const fits = fitting(pattern.trim().slice(isDenial ? 1 : 0).trim());
    const found = tools.filter(fits);
    if (found.length === 0) unknown.push(pattern);
    for (const tool of found) (isDenial ? denied : chosen).add(tool);
  }
  const isOpen = patterns.length > 0 && patterns.every((text) => text.trim().startsWith("!"));
  return {
    tools: tools.filter((tool) => (isOpen || chosen.has(tool)) && !denied.has(tool)),
    unknown,
  };
}

/** Whether a pattern without its `!` means a tool. */
function fitting(pattern: string): (tool: Tool) => boolean {
  if (!pattern.startsWith(SERVER)) return ({ name }) => globMatches(pattern, name);
  const server = pattern.slice(SERVER.length).trim();
  return (tool) => globMatches(server, tool.server);
}

import type { Tool } from "../model/tool.ts";
import { chooseTools } from "../tools/choose_tools.ts";
import { executorOf, type ToolExecutor } from "../tools/tool_executor.ts";

/** Which tools a subagent gets. */
export interface DelegateOptions {
  /**
   * Patterns: public names, `mcp:<server>`, either with `*` and `?`, and any of these behind `!` for
   * what it does not get; see `chooseTools()`. Default: every tool.
   */
  readonly tools?: readonly string[] | undefined;
}

/** The tools of a subagent, over the connections of the session that it was made from. */
export interface DelegatedTools {
  /** The tools of the moment. The same array until one of them changes. */
  readonly tools: readonly Tool[];
  /** Patterns that fit no tool now. */
  readonly unknown: readonly string[];
  /** Calls these tools, and no others, by the names that the model knows them by. */
  readonly executor: ToolExecutor;
}

/** What tools are chosen from. */
export interface DelegateSource {
  /** All tools of the moment. */
  readonly tools: () => readonly Tool[];
  /** The tool that a name means, or meant before. */
  readonly lookup: (name: string) => Tool | null;
}

/**
 * The tools that patterns choose, now and whenever somebody asks.
 * @param patterns `null` chooses all.
 */
export function delegatedTools(
  { tools, lookup }: DelegateSource,
  patterns: readonly string[] | null,
): DelegatedTools {
  let seen: readonly Tool[] | null = null;
  let chosen: ReturnType<typeof chooseTools> = { tools: [], unknown: [] };
  const choose = (): typeof chosen => {
    const all = tools();
    if (all === seen) return chosen;
    seen = all;
    chosen = patterns === null ? { tools: all, unknown: [] } : chooseTools(all, patterns);
    return chosen;
  };
  const executor = executorOf(() => choose().tools, {
    lookup: (name) => {
      const tool = lookup(name);
      // An old name of a tool: its present one says whether it was chosen.
      const now = choose().tools.find(({ server, info }) =>
        server === tool?.server && info.name === tool.info.name
      );
      return now === undefined ? null : tool;
    },
  });
  return {
    get tools(): readonly Tool[] {
      return choose().tools;
    },
    get unknown(): readonly string[] {
      return choose().unknown;
    },
    executor,
  };
}

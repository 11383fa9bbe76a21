import { buildCommand, type Command } from "@stricli/core";
import type { CliContext } from "../context.ts";
import { FROM_CACHE, LIST_FLAGS, type ListFlags } from "../flags.ts";
import type { Action } from "../run_action.ts";

/** A command that prints a list of every server, from what is remembered of it or from itself. */
function listCommand(
  what: string,
  load: () => Promise<Action<ListFlags>>,
): Command<CliContext> {
  return buildCommand<ListFlags, readonly string[], CliContext>({
    loader: async () => {
      const [{ asCommand }, action] = await Promise.all([import("../run_action.ts"), load()]);
      return asCommand(action);
    },
    parameters: {
      flags: LIST_FLAGS,
      positional: {
        kind: "array",
        parameter: {
          parse: String,
          brief: "Servers to list; all by default",
          placeholder: "server",
        },
      },
      aliases: { v: "verbose" },
    },
    docs: {
      brief: `List the ${what} of every server`,
      fullDescription: `Lists the ${what} of every server that may run.\n${FROM_CACHE}`,
      customUsage: ["[--refresh] [--wait 10s] [--json] [<server>...]"],
    },
  });
}

/** `mcp tools`. */
export const toolsCommand: Command<CliContext> = listCommand(
  "tools",
  async () => (await import("../actions/tools.ts")).tools,
);

/** `mcp resources`. */
export const resourcesCommand: Command<CliContext> = listCommand(
  "resources and resource templates",
  async () => (await import("../actions/resources.ts")).resources,
);

/** `mcp prompts`. */
export const promptsCommand: Command<CliContext> = listCommand(
  "prompts",
  async () => (await import("../actions/prompts.ts")).prompts,
);

import { buildCommand, type Command } from "@stricli/core";
import type { CliContext } from "../context.ts";
import { FROM_CACHE, LIST_FLAGS, type ListFlags } from "../flags.ts";

/** `mcp tools`. */
export const toolsCommand: Command<CliContext> = buildCommand<
  ListFlags,
  readonly string[],
  CliContext
>({
  loader: async () => {
    const [{ asCommand }, { tools }] = await Promise.all([
      import("../run_action.ts"),
      import("../actions/tools.ts"),
    ]);
    return asCommand(tools);
  },
  parameters: {
    flags: LIST_FLAGS,
    positional: {
      kind: "array",
      parameter: { parse: String, brief: "Servers to list; all by default", placeholder: "server" },
    },
    aliases: { v: "verbose" },
  },
  docs: {
    brief: "List the tools of every server",
    fullDescription: `Lists the tools of every server that may run.\n${FROM_CACHE}`,
    customUsage: ["[--refresh] [--wait 10s] [--json] [<server>...]"],
  },
});

import { buildCommand, type Command } from "@stricli/core";
import type { CliContext } from "../context.ts";
import { FROM_CACHE, LIST_FLAGS, type ListFlags } from "../flags.ts";

/** `mcp resources`. */
export const resourcesCommand: Command<CliContext> = buildCommand<
  ListFlags,
  readonly string[],
  CliContext
>({
  loader: async () => {
    const [{ asCommand }, { resources }] = await Promise.all([
      import("../run_action.ts"),
      import("../actions/resources.ts"),
    ]);
    return asCommand(resources);
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
    brief: "List the resources and resource templates of every server",
    fullDescription:
      `Lists the resources and resource templates of every server that may run.\n${FROM_CACHE}`,
    customUsage: ["[--refresh] [--wait 10s] [--json] [<server>...]"],
  },
});

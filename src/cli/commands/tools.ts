import { buildCommand, type Command } from "@stricli/core";
import type { CliContext } from "../context.ts";
import { DISCOVERY_FLAGS, type DiscoveryFlags, onOff } from "../flags.ts";

/** Flags of the commands that list what servers offer. */
export interface ListFlags extends DiscoveryFlags {
  /** Ask every server anew, whatever is remembered. */
  readonly refresh?: boolean | undefined;
}

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
    flags: {
      ...DISCOVERY_FLAGS,
      refresh: onOff("Start every server and ask it anew"),
    },
    positional: {
      kind: "array",
      parameter: { parse: String, brief: "Servers to list; all by default", placeholder: "server" },
    },
    aliases: { v: "verbose" },
  },
  docs: {
    brief: "List the tools of every server",
    fullDescription: "Lists the tools of every server that may run. A list read within the last " +
      "15 minutes is shown as it is; only servers without one are started.",
    customUsage: ["[--refresh] [--json] [<server>...]"],
  },
});

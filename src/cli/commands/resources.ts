import { buildCommand, type Command } from "@stricli/core";
import type { CliContext } from "../context.ts";
import { DISCOVERY_FLAGS, type DiscoveryFlags } from "../flags.ts";

/** `mcp resources`. */
export const resourcesCommand: Command<CliContext> = buildCommand<
  DiscoveryFlags,
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
    flags: DISCOVERY_FLAGS,
    positional: {
      kind: "array",
      parameter: { parse: String, brief: "Servers to list; all by default", placeholder: "server" },
    },
    aliases: { v: "verbose" },
  },
  docs: {
    brief: "List the resources and resource templates of every server",
    customUsage: ["[--json] [<server>...]"],
  },
});

import { buildCommand, type Command } from "@stricli/core";
import type { CliContext } from "../context.ts";
import { DISCOVERY_FLAGS, type DiscoveryFlags } from "../flags.ts";

/** `mcp prompts`. */
export const promptsCommand: Command<CliContext> = buildCommand<
  DiscoveryFlags,
  readonly string[],
  CliContext
>({
  loader: async () => {
    const [{ asCommand }, { prompts }] = await Promise.all([
      import("../run_action.ts"),
      import("../actions/prompts.ts"),
    ]);
    return asCommand(prompts);
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
    brief: "List the prompts of every server",
    customUsage: ["[--json] [<server>...]"],
  },
});

import { buildCommand, type Command } from "@stricli/core";
import type { ExplainFlags } from "../actions/explain.ts";
import type { CliContext } from "../context.ts";
import { DISCOVERY_FLAGS } from "../flags.ts";

/** `mcp explain`. */
export const explainCommand: Command<CliContext> = buildCommand<
  ExplainFlags,
  [string],
  CliContext
>({
  loader: async () => {
    const [{ asCommand }, { explain }] = await Promise.all([
      import("../run_action.ts"),
      import("../actions/explain.ts"),
    ]);
    return asCommand(explain);
  },
  parameters: {
    flags: { json: DISCOVERY_FLAGS.json, cwd: DISCOVERY_FLAGS.cwd, home: DISCOVERY_FLAGS.home },
    positional: {
      kind: "tuple",
      parameters: [{ parse: String, brief: "Name of the server", placeholder: "server" }],
    },
  },
  docs: {
    brief: "Tell why a server runs here, or does not",
    fullDescription:
      `Shows every definition of the name and of the same connection under other names,
which one stands for it and by which rule, each check, what would be started, and
what to do.`,
    customUsage: ["[--json] <server>"],
  },
});

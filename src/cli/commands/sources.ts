import { buildCommand, type Command } from "@stricli/core";
import type { SourcesFlags } from "../actions/sources.ts";
import type { CliContext } from "../context.ts";
import { DISCOVERY_FLAGS, onOff } from "../flags.ts";

/** `mcp sources`. */
export const sourcesCommand: Command<CliContext> = buildCommand<SourcesFlags, [], CliContext>({
  loader: async () => {
    const [{ asCommand }, { sources }] = await Promise.all([
      import("../run_action.ts"),
      import("../actions/sources.ts"),
    ]);
    return asCommand(sources);
  },
  parameters: {
    flags: {
      json: DISCOVERY_FLAGS.json,
      cwd: DISCOVERY_FLAGS.cwd,
      home: DISCOVERY_FLAGS.home,
      found: onOff("Leave out paths where nothing stands"),
    },
  },
  docs: {
    brief: "List every path that is looked at for definitions",
    customUsage: ["[--found] [--json]"],
  },
});

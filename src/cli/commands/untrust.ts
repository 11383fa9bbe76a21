import { buildCommand, type Command } from "@stricli/core";
import type { CliContext } from "../context.ts";
import { DISCOVERY_FLAGS, onOff } from "../flags.ts";
import type { TrustFlags } from "../flags.ts";

/** `mcp untrust`. */
export const untrustCommand: Command<CliContext> = buildCommand<
  TrustFlags,
  readonly string[],
  CliContext
>({
  loader: async () => {
    const [{ asCommand }, { untrust }] = await Promise.all([
      import("../run_action.ts"),
      import("../actions/untrust.ts"),
    ]);
    return asCommand(untrust);
  },
  parameters: {
    flags: {
      json: DISCOVERY_FLAGS.json,
      cwd: DISCOVERY_FLAGS.cwd,
      folder: onOff("Withdraw the approval of this workspace's folder"),
      hooks: onOff("Withdraw the approval of the project's hooks"),
    },
    positional: {
      kind: "array",
      parameter: {
        parse: String,
        brief: "Servers whose approval to withdraw; all of this workspace by default",
        placeholder: "server",
      },
    },
  },
  docs: {
    brief: "Withdraw approvals of this workspace",
    customUsage: ["[--folder] [--hooks] [<server>...]"],
  },
});

import { buildCommand, type Command } from "@stricli/core";
import type { ApproveFlags } from "../actions/trust.ts";
import type { CliContext } from "../context.ts";
import { DISCOVERY_FLAGS, onOff } from "../flags.ts";

/** `mcp trust`. */
export const trustCommand: Command<CliContext> = buildCommand<
  ApproveFlags,
  readonly string[],
  CliContext
>({
  loader: async () => {
    const [{ asCommand }, { trust }] = await Promise.all([
      import("../run_action.ts"),
      import("../actions/trust.ts"),
    ]);
    return asCommand(trust);
  },
  parameters: {
    flags: {
      json: DISCOVERY_FLAGS.json,
      cwd: DISCOVERY_FLAGS.cwd,
      folder: onOff("Let servers work in this workspace's folder"),
      hooks: onOff("Approve the project's hooks, and nothing else"),
      yes: onOff("Approve without asking"),
    },
    positional: {
      kind: "array",
      parameter: {
        parse: String,
        brief: "Servers to approve; all that wait for it by default",
        placeholder: "server",
      },
    },
    aliases: { y: "yes" },
  },
  docs: {
    brief: "Approve what a project wants to run",
    fullDescription:
      `Shows what each server of this project would run, which files of the repository
that is, and which variables it reads, then asks. An approval holds for exactly
what was shown; a changed definition waits for a new one. The project's hooks are
approved as a whole.`,
    customUsage: ["[--folder] [--hooks] [--yes] [<server>...]"],
  },
});

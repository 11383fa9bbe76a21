import { buildCommand, type Command } from "@stricli/core";
import type { StatusFlags } from "../actions/status.ts";
import type { CliContext } from "../context.ts";
import { DISCOVERY_FLAGS, duration, onOff, TRACE_FLAG } from "../flags.ts";

/** `mcp status`. */
export const statusCommand: Command<CliContext> = buildCommand<
  StatusFlags,
  readonly string[],
  CliContext
>({
  loader: async () => {
    const [{ asCommand }, { status }] = await Promise.all([
      import("../run_action.ts"),
      import("../actions/status.ts"),
    ]);
    return asCommand(status);
  },
  parameters: {
    flags: {
      ...DISCOVERY_FLAGS,
      ...TRACE_FLAG,
      wait: duration("Longest time to wait for servers, as 5s or 250ms [default: 5s]"),
      cached: onOff("Start nothing; show what is remembered"),
      tokens: onOff("Show what the tools of each server cost a model's context, estimated"),
      strict: onOff("Exit with 1 when a server failed"),
      plain: onOff("One line of words per server, for scripts"),
      session: {
        kind: "parsed",
        parse: String,
        optional: true,
        inferEmpty: true,
        brief: "Start nothing; show live sessions, or the one with this id",
        placeholder: "id",
      },
    },
    positional: {
      kind: "array",
      parameter: { parse: String, brief: "Servers to show; all by default", placeholder: "server" },
    },
    aliases: { v: "verbose" },
  },
  docs: {
    brief: "Start every server, show its state, stop it again",
    fullDescription:
      `Starts every server that may run, shows its state, and stops it again. A server
that has not answered within --wait is shown as "connecting". Live sessions of the
workspace, which have servers of their own, stand below; --session shows these.
--tokens adds about how many tokens the tools of each server take of a model's
context; "mcp serve --lazy" lists three tools in the place of all.
Exit status: 0 also when servers failed, 1 with --strict then.`,
    customUsage: [
      "[--wait 5s] [--cached] [--tokens] [--json | --plain] [<server>...]",
      "--session [<id>] [--json | --plain]",
    ],
  },
});

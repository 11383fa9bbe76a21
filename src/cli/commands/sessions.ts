import { buildCommand, type Command } from "@stricli/core";
import type { ReloadFlags } from "../actions/reload.ts";
import type { SteerAction, SteerFlags } from "../actions/steer.ts";
import type { CliContext } from "../context.ts";
import { DISCOVERY_FLAGS, duration, onOff, text } from "../flags.ts";

/** Flags of all that asks live sessions. */
const SESSION_FLAGS = {
  json: DISCOVERY_FLAGS.json,
  plain: onOff("One line of words per session, tool and server, for scripts"),
  cwd: DISCOVERY_FLAGS.cwd,
  wait: duration("Longest time to wait for an answer [default: 10s beyond the slowest server]"),
} as const;

/** `mcp reload`. */
export const reloadCommand: Command<CliContext> = buildCommand<
  ReloadFlags,
  readonly string[],
  CliContext
>({
  loader: async () => {
    const [{ asCommand }, { reload }] = await Promise.all([
      import("../run_action.ts"),
      import("../actions/reload.ts"),
    ]);
    return asCommand(reload);
  },
  parameters: {
    flags: {
      ...SESSION_FLAGS,
      all: onOff("Sessions of all workspaces"),
      restart: onOff("End every server and start all anew"),
      strict: onOff("Exit with 1 when anything failed"),
    },
    positional: {
      kind: "array",
      parameter: {
        parse: String,
        brief: "Servers to restart even when nothing of them changed",
        placeholder: "server",
      },
    },
  },
  docs: {
    brief: "Let changes take effect in every live session",
    fullDescription:
      `Every live session of this workspace reads all files anew, starts what is new or
changed, asks the rest for its lists, and gives its agent the new tools. Without a
live session the servers are started once, and what they offer is remembered.
Exit status: 0 also when servers failed, 1 with --strict then.`,
    customUsage: ["[--all] [--restart] [--strict] [--wait 30s] [--json | --plain] [<server>...]"],
  },
});

/** `mcp pause`. */
export const pauseCommand: Command<CliContext> = steerCommand("pause", {
  brief: "Take a server away from live sessions for now",
  fullDescription: `Takes the tools of a server away from every live session of this workspace, or
from one. Calls that run get 10 s. It lasts over reloads and ends with the session.`,
});

/** `mcp resume`. */
export const resumeCommand: Command<CliContext> = steerCommand("resume", {
  brief: "Give live sessions a paused server back",
  fullDescription: "Starts a paused server again, in every live session of this workspace.",
});

/** `mcp retry`. */
export const retryCommand: Command<CliContext> = steerCommand("retry", {
  brief: "Connect live sessions to a server anew",
  fullDescription: `Opens a new connection to a server in every live session of this workspace,
whatever has become of the old one.
Exit status: 3 when the server needs authorisation, 4 when it cannot be reached.`,
});

function steerCommand(
  action: SteerAction,
  docs: { readonly brief: string; readonly fullDescription: string },
): Command<CliContext> {
  return buildCommand<SteerFlags, [string], CliContext>({
    loader: async () => {
      const [{ asCommand }, { steer }] = await Promise.all([
        import("../run_action.ts"),
        import("../actions/steer.ts"),
      ]);
      return asCommand(steer(action));
    },
    parameters: {
      flags: {
        ...SESSION_FLAGS,
        session: text("The one session that is meant, of whichever workspace", "id"),
      },
      positional: {
        kind: "tuple",
        parameters: [{ parse: String, brief: "Name of the server", placeholder: "server" }],
      },
    },
    docs: { ...docs, customUsage: ["[--session <id>] [--json | --plain] <server>"] },
  });
}

import { buildCommand, type Command } from "@stricli/core";
import type { LogsFlags } from "../actions/logs.ts";
import type { CliContext } from "../context.ts";
import { DISCOVERY_FLAGS, onOff } from "../flags.ts";
import { parseSince } from "../log_time.ts";

/** `mcp logs`. */
export const logsCommand: Command<CliContext> = buildCommand<
  LogsFlags,
  readonly string[],
  CliContext
>({
  loader: async () => {
    const [{ asCommand }, { logs }] = await Promise.all([
      import("../run_action.ts"),
      import("../actions/logs.ts"),
    ]);
    return asCommand(logs);
  },
  parameters: {
    flags: {
      json: onOff("Print one JSON document on stdout; with --follow one line each"),
      cwd: DISCOVERY_FLAGS.cwd,
      home: DISCOVERY_FLAGS.home,
      follow: onOff("Go on with lines as they come"),
      since: {
        kind: "parsed",
        parse: parseSince,
        optional: true,
        brief: "Leave out what is older, as 10m, 2h, 3d or 2026-11-30T12:00",
        placeholder: "time",
      },
      level: {
        kind: "enum",
        values: ["debug", "info", "warn", "error"],
        optional: true,
        brief: "Leave out what is less grave",
      },
    },
    positional: {
      kind: "array",
      parameter: {
        parse: String,
        brief: "Servers whose lines are shown; all of this workspace by default",
        placeholder: "server",
      },
    },
    aliases: { f: "follow" },
  },
  docs: {
    brief: "Show what servers wrote, and when they started and ended",
    fullDescription: `Shows what servers wrote on stderr and in log messages, when they were started
and how they ended, oldest first: of this workspace, whichever program ran them.
Known secrets are replaced. The last 3 MiB of each server are kept, for 30 days.
Starts nothing.

  mcp logs files --since 10m
  mcp logs --level error
  mcp logs -f`,
    customUsage: ["[-f] [--since 10m] [--level error] [--json] [<server>...]"],
  },
});

import { buildCommand, type Command } from "@stricli/core";
import type { ServeFlags } from "../actions/serve.ts";
import type { CliContext } from "../context.ts";
import { DISCOVERY_FLAGS, onOff, text, texts, TRACE_FLAG } from "../flags.ts";

/** `mcp serve`. */
export const serveCommand: Command<CliContext> = buildCommand<
  ServeFlags,
  readonly string[],
  CliContext
>({
  loader: async () => {
    const [{ asCommand }, { serve }] = await Promise.all([
      import("../run_action.ts"),
      import("../actions/serve.ts"),
    ]);
    return asCommand(serve);
  },
  parameters: {
    flags: {
      ...DISCOVERY_FLAGS,
      ...TRACE_FLAG,
      json: onOff("Print a failure to start as one JSON document"),
      for: text(
        "Kind of the host that starts it, as claude-code; leaves out what it loads",
        "host",
      ),
      only: texts("Offer these alone: <server> or <server>/<tool>, with * and ?", "pattern"),
      except: texts("Leave these out: <server> or <server>/<tool>, with * and ?", "pattern"),
      naming: {
        kind: "enum",
        values: ["server", "prefixed", "key", "bare"],
        optional: true,
        brief:
          "How tools and prompts are named [default: <server>_<tool>, or as the host needs it]",
      },
      strict: onOff("Answer with an error when a server fails; exit with 1 when discovery does"),
      noWatch: onOff("Do not follow edits of config files"),
    },
    aliases: { v: "verbose" },
  },
  docs: {
    brief: "Be one MCP server over stdio with all that the servers offer",
    fullDescription:
      `Speaks MCP on stdin and stdout, for a host agent that starts it: one entry in its
config in place of all others. It offers the tools, prompts and resources of every
server that may run here; servers that fail cost nobody else theirs, and changes of
config files are followed. It ends with its host. Its log goes to stderr.

  mcp serve --for claude-code
  mcp serve --only files --only 'git/log*'`,
    customUsage: ["[--for <host>] [--only <pattern>] [--except <pattern>] [--strict]"],
  },
});

import { buildCommand, type Command } from "@stricli/core";
import type { CallFlags } from "../actions/call.ts";
import type { CliContext } from "../context.ts";
import { DISCOVERY_FLAGS, duration, TRACE_FLAG } from "../flags.ts";

/** `mcp call`. */
export const callCommand: Command<CliContext> = buildCommand<
  CallFlags,
  readonly string[],
  CliContext
>({
  loader: async () => {
    const [{ asCommand }, { call }] = await Promise.all([
      import("../run_action.ts"),
      import("../actions/call.ts"),
    ]);
    return asCommand(call);
  },
  parameters: {
    flags: {
      ...DISCOVERY_FLAGS,
      ...TRACE_FLAG,
      timeout: duration("Longest time without an answer or progress [default: the server's]"),
      output: {
        kind: "parsed",
        parse: String,
        optional: true,
        brief: "Folder to save images, audio and other files in",
        placeholder: "folder",
      },
    },
    positional: {
      kind: "array",
      parameter: {
        parse: String,
        brief: "Server, tool, then its arguments: key=value words, one JSON object, or - for stdin",
        placeholder: "argument",
      },
    },
    aliases: { v: "verbose", o: "output" },
  },
  docs: {
    brief: "Call one tool and print its answer",
    fullDescription:
      `Starts one server, calls one of its tools, prints the answer, stops the server.
Values of key=value words get the types of the tool's schema; a key given again
adds to a list. Progress and remarks go to stderr, the answer alone to stdout.

  mcp call files read_file path=README.md
  mcp call maths add '{"a": 1, "b": 2}'
  mcp call maths add - < arguments.json

Exit status: 1 the server may not run, 2 unknown server or tool or bad arguments,
3 the server needs authorisation, 4 it cannot be reached, 5 the tool says that it
failed.`,
    customUsage: ["[--json] [--output <folder>] <server> <tool> [<key>=<value>... | <json> | -]"],
  },
});

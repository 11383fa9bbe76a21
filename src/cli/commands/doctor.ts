import { buildCommand, type Command } from "@stricli/core";
import type { DoctorFlags } from "../actions/doctor.ts";
import type { CliContext } from "../context.ts";
import { DISCOVERY_FLAGS, onOff } from "../flags.ts";

/** `mcp doctor`. */
export const doctorCommand: Command<CliContext> = buildCommand<
  DoctorFlags,
  readonly string[],
  CliContext
>({
  loader: async () => {
    const [{ asCommand }, { doctor }] = await Promise.all([
      import("../run_action.ts"),
      import("../actions/doctor.ts"),
    ]);
    return asCommand(doctor);
  },
  parameters: {
    flags: {
      json: DISCOVERY_FLAGS.json,
      cwd: DISCOVERY_FLAGS.cwd,
      home: DISCOVERY_FLAGS.home,
      strict: onOff("Exit with 1 when an error was found"),
    },
    positional: {
      kind: "array",
      parameter: {
        parse: String,
        brief: "Servers to look at; all by default",
        placeholder: "server",
      },
    },
  },
  docs: {
    brief: "Tell what keeps servers from working, and what to do",
    fullDescription:
      `Looks for programs that are missing, placeholders and white space that were left over,
secrets in files that git tracks, packages without a version, clashing names, and what
else keeps servers from working; tells what to do about each. Starts nothing, and of what
is not approved it reads the text alone.
Exit status: 0 also when something was found, 1 with --strict for an error.`,
    customUsage: ["[--strict] [--json] [<server>...]"],
  },
});

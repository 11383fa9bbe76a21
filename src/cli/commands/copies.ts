import { buildCommand, type Command } from "@stricli/core";
import type { ExportFlags, ImportFlags } from "../actions/edits.ts";
import type { CliContext } from "../context.ts";
import { EDIT_FLAGS, ENABLE, REPLACE, targetFlags } from "./edits.ts";

/** The file that is written to, which is not the agent's that is read. */
const IMPORT_TARGET = targetFlags(
  "Whose file to write to [default: store; user with --host]",
  "Agent into whose file to write [default: none, the store]",
);

/** `mcp import`. */
export const importCommand: Command<CliContext> = buildCommand<
  ImportFlags,
  readonly string[],
  CliContext
>({
  loader: async () => {
    const [{ asCommand }, { importFrom }] = await Promise.all([
      import("../run_action.ts"),
      import("../actions/edits.ts"),
    ]);
    return asCommand(importFrom);
  },
  parameters: {
    flags: { ...EDIT_FLAGS, ...IMPORT_TARGET, enable: ENABLE, replace: REPLACE },
    positional: {
      kind: "array",
      minimum: 1,
      parameter: {
        parse: String,
        brief: "Agent, then which of its servers; all by default",
        placeholder: "agent",
      },
    },
    aliases: { s: "scope" },
  },
  docs: {
    brief: "Copy an agent's servers to the store",
    fullDescription:
      `Copies definitions from the files of an agent, which are not changed. Placeholders
stay placeholders. What a repository declares is copied once it is approved. --host
and --scope say where to write, not what to read.`,
    customUsage: ["<agent> [<server>...] [--enable] [--dry-run]"],
  },
});

/** `mcp export`. */
export const exportCommand: Command<CliContext> = buildCommand<
  ExportFlags,
  readonly string[],
  CliContext
>({
  loader: async () => {
    const [{ asCommand }, { exportTo }] = await Promise.all([
      import("../run_action.ts"),
      import("../actions/edits.ts"),
    ]);
    return asCommand(exportTo);
  },
  parameters: {
    flags: {
      ...EDIT_FLAGS,
      to: { kind: "parsed", parse: String, brief: "Agent, such as codex", placeholder: "agent" },
      scope: {
        kind: "enum",
        values: ["user", "project"],
        optional: true,
        brief: "Whose file of the agent [default: user]",
      },
      replace: REPLACE,
    },
    positional: {
      kind: "array",
      parameter: {
        parse: String,
        brief: "Servers; all that run here by default",
        placeholder: "server",
      },
    },
    aliases: { s: "scope" },
  },
  docs: {
    brief: "Write servers into an agent's file",
    fullDescription: `Writes definitions in the agent's own words. What the agent cannot be told is
named and costs only its server; what a repository declares is copied once it is
approved.`,
    customUsage: ["--to <agent> [<server>...] [--scope user|project] [--dry-run]"],
  },
});

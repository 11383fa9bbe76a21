import {
  buildCommand,
  type Command,
  type FlagParametersForType,
  type TypedFlagParameter,
} from "@stricli/core";
import type { AddFlags, TargetFlags } from "../actions/add.ts";
import type { RemoveFlags, SwitchFlags } from "../actions/edits.ts";
import type { CliContext } from "../context.ts";
import type { EditFlags } from "../edit_print.ts";
import { DISCOVERY_FLAGS, onOff, text, texts } from "../flags.ts";

/** Flags of every edit. */
export const EDIT_FLAGS: FlagParametersForType<EditFlags, CliContext> = {
  json: DISCOVERY_FLAGS.json,
  dryRun: onOff("Show what would be written, write nothing"),
};

/** Flags for the file that is meant, each with what it says there. */
export function targetFlags(
  scope: string,
  host: string,
): FlagParametersForType<TargetFlags, CliContext> {
  return {
    scope: {
      kind: "enum",
      values: ["store", "user", "project"],
      optional: true,
      brief: scope,
    },
    host: text(host, "agent"),
  };
}

/** The file that is written to. */
const ADD_TARGET = targetFlags(
  "Whose file [default: store; user with --host]",
  "Agent whose file is meant, such as cursor",
);

/** The file that a definition is taken out of. */
const REMOVE_TARGET = targetFlags(
  "Whose file [default: that of the definition which stands here]",
  "Agent whose file is meant, such as cursor",
);

/** `--replace`. */
export const REPLACE: TypedFlagParameter<boolean | undefined, CliContext> = onOff(
  "Replace another entry of the name",
);
/** `--enable`. */
export const ENABLE: TypedFlagParameter<boolean | undefined, CliContext> = onOff(
  "Enable in this workspace, too",
);

/** One server, by its name. */
const ONE_SERVER = {
  kind: "tuple",
  parameters: [{ parse: String, brief: "Name of the server", placeholder: "server" }],
} as const;

/** `mcp add`. */
export const addCommand: Command<CliContext> = buildCommand<
  AddFlags,
  readonly string[],
  CliContext
>({
  loader: async () => {
    const [{ asCommand }, { add }] = await Promise.all([
      import("../run_action.ts"),
      import("../actions/add.ts"),
    ]);
    return asCommand(add);
  },
  parameters: {
    flags: {
      ...EDIT_FLAGS,
      ...ADD_TARGET,
      transport: {
        kind: "enum",
        values: ["stdio", "http", "sse"],
        optional: true,
        brief: "How it is reached [default: told by the other words]",
      },
      url: text("Address of a remote server", "url"),
      env: texts("NAME=value for its environment; may be given again", "pair"),
      header: texts('"Name: value" for its requests; may be given again', "pair"),
      cwd: text("Folder that it works in", "folder"),
      enable: ENABLE,
      replace: REPLACE,
    },
    positional: {
      kind: "array",
      parameter: {
        parse: String,
        brief: "Name, then the command with its arguments or the url; - reads stdin",
        placeholder: "word",
      },
    },
    aliases: { t: "transport", e: "env", H: "header", s: "scope" },
  },
  docs: {
    brief: "Define a server",
    fullDescription:
      `Writes a definition to the store, or to the file of an agent in that agent's own
words. What is added to the store runs where it is enabled. On stdin it takes what a
README shows for any agent: JSON, TOML or YAML, whole or in part.`,
    customUsage: [
      "<name> [--env <NAME=value>] -- <command> [<argument>...]",
      '<name> --url <url> [--header <"Name: value">]',
      "--transport http|sse|stdio <name> <url or command>",
      "[<name>] - < snippet.json",
      "[--scope store|user|project] [--host <agent>] <name> ...",
    ],
  },
});

/** `mcp remove`. */
export const removeCommand: Command<CliContext> = buildCommand<RemoveFlags, [string], CliContext>({
  loader: async () => {
    const [{ asCommand }, { remove }] = await Promise.all([
      import("../run_action.ts"),
      import("../actions/edits.ts"),
    ]);
    return asCommand(remove);
  },
  parameters: {
    flags: { ...EDIT_FLAGS, ...REMOVE_TARGET },
    positional: ONE_SERVER,
    aliases: { s: "scope" },
  },
  docs: {
    brief: "Take a definition out of its file",
    fullDescription:
      `Removes the definition that stands for the name here, from the file in which it
stands, or that of the file which is named. Tells which other definition of the
name stands for it since.`,
    customUsage: ["[--scope <scope>] [--host <agent>] [--dry-run] <server>"],
  },
});

/** `mcp enable`. */
export const enableCommand: Command<CliContext> = buildCommand<SwitchFlags, [string], CliContext>({
  loader: async () => {
    const [{ asCommand }, { enable }] = await Promise.all([
      import("../run_action.ts"),
      import("../actions/edits.ts"),
    ]);
    return asCommand(enable);
  },
  parameters: {
    flags: { ...EDIT_FLAGS, inPlace: onOff("By the switch of the file that defines it") },
    positional: ONE_SERVER,
  },
  docs: {
    brief: "Switch a server on in this workspace",
    fullDescription:
      `Lists a server of the store as on in .hotplug/workspace.json, and takes any other
off the list of those that are off there. With --in-place the own switch of the
file that defines it is used, which every program that reads the file sees.`,
    customUsage: ["[--in-place] [--dry-run] <server>"],
  },
});

/** `mcp disable`. */
export const disableCommand: Command<CliContext> = buildCommand<SwitchFlags, [string], CliContext>({
  loader: async () => {
    const [{ asCommand }, { disable }] = await Promise.all([
      import("../run_action.ts"),
      import("../actions/edits.ts"),
    ]);
    return asCommand(disable);
  },
  parameters: {
    flags: { ...EDIT_FLAGS, inPlace: onOff("By the switch of the file that defines it") },
    positional: ONE_SERVER,
  },
  docs: {
    brief: "Switch a server off in this workspace",
    fullDescription:
      `Takes a server of the store off the list in .hotplug/workspace.json, and lists any
other as off there. With --in-place the own switch of the file that defines it is
used, which every program that reads the file sees.`,
    customUsage: ["[--in-place] [--dry-run] <server>"],
  },
});

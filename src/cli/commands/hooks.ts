import { buildCommand, buildRouteMap, type Command, type RouteMap } from "@stricli/core";
import type { HooksDoctorFlags } from "../actions/hooks_doctor.ts";
import type { InstallFlags, UninstallFlags } from "../actions/hooks_edit.ts";
import type { HooksFlags, PrintFlags } from "../actions/hooks_list.ts";
import type { CliContext } from "../context.ts";
import { DISCOVERY_FLAGS, onOff } from "../flags.ts";
import { EDIT_FLAGS } from "./edits.ts";

/** `--project`. */
const PROJECT = onOff("In this project alone [default: for all of them]");

/** Kinds of hosts, by their names. */
const KINDS = {
  kind: "array",
  parameter: {
    parse: String,
    brief: "Kind of host agent, such as claude-code: mcp hooks --all lists them",
    placeholder: "host",
  },
} as const;

const listCommand: Command<CliContext> = buildCommand<
  HooksFlags,
  readonly string[],
  CliContext
>({
  loader: async () => {
    const [{ asCommand }, { hooks }] = await Promise.all([
      import("../run_action.ts"),
      import("../actions/hooks_list.ts"),
    ]);
    return asCommand(hooks);
  },
  parameters: {
    flags: {
      json: DISCOVERY_FLAGS.json,
      cwd: DISCOVERY_FLAGS.cwd,
      all: onOff("List hosts that do not seem to be in use here, too"),
    },
    positional: KINDS,
  },
  docs: {
    brief: "List the hosts, and which of them have a hook",
    customUsage: ["[--all] [--json] [<host>...]"],
  },
});

const installCommand: Command<CliContext> = buildCommand<
  InstallFlags,
  readonly string[],
  CliContext
>({
  loader: async () => {
    const [{ asCommand }, { install }] = await Promise.all([
      import("../run_action.ts"),
      import("../actions/hooks_edit.ts"),
    ]);
    return asCommand(install);
  },
  parameters: {
    flags: {
      ...EDIT_FLAGS,
      cwd: DISCOVERY_FLAGS.cwd,
      project: PROJECT,
      force: onOff("Replace what you changed, or another file of the name"),
    },
    positional: KINDS,
  },
  docs: {
    brief: "Give a host the tools of your servers",
    fullDescription: `Writes the file by which a host agent loads Hotplug: a file of its own in
the host's folder of extensions, or one entry in the file of its servers, which is changed
nowhere else. Installing again changes nothing; after an update it writes the new version.
What you changed is not overwritten without --force.`,
    customUsage: ["[--project] [--force] [--dry-run] <host>..."],
  },
});

const uninstallCommand: Command<CliContext> = buildCommand<
  UninstallFlags,
  readonly string[],
  CliContext
>({
  loader: async () => {
    const [{ asCommand }, { uninstall }] = await Promise.all([
      import("../run_action.ts"),
      import("../actions/hooks_edit.ts"),
    ]);
    return asCommand(uninstall);
  },
  parameters: {
    flags: {
      ...EDIT_FLAGS,
      cwd: DISCOVERY_FLAGS.cwd,
      project: PROJECT,
      force: onOff("Remove what you changed, too"),
    },
    positional: KINDS,
  },
  docs: {
    brief: "Take the hook of a host away",
    fullDescription: `Removes what install wrote. A file that nothing else changed since is the
same as before, byte for byte; of any other the entry alone goes.`,
    customUsage: ["[--project] [--force] [--dry-run] <host>..."],
  },
});

const printCommand: Command<CliContext> = buildCommand<PrintFlags, [string], CliContext>({
  loader: async () => {
    const [{ asCommand }, { print }] = await Promise.all([
      import("../run_action.ts"),
      import("../actions/hooks_list.ts"),
    ]);
    return asCommand(print);
  },
  parameters: {
    flags: { json: DISCOVERY_FLAGS.json, cwd: DISCOVERY_FLAGS.cwd, project: PROJECT },
    positional: { kind: "tuple", parameters: [KINDS.parameter] },
  },
  docs: {
    brief: "Print what install would write",
    customUsage: ["[--project] [--json] <host>"],
  },
});

const doctorCommand: Command<CliContext> = buildCommand<
  HooksDoctorFlags,
  readonly string[],
  CliContext
>({
  loader: async () => {
    const [{ asCommand }, { hooksDoctor }] = await Promise.all([
      import("../run_action.ts"),
      import("../actions/hooks_doctor.ts"),
    ]);
    return asCommand(hooksDoctor);
  },
  parameters: {
    flags: {
      json: DISCOVERY_FLAGS.json,
      cwd: DISCOVERY_FLAGS.cwd,
      project: onOff("Look at the hooks of this project alone"),
      strict: onOff("Exit with 1 when an error was found"),
    },
    positional: KINDS,
  },
  docs: {
    brief: "Tell whether a host really loads its hook",
    fullDescription: `Looks whether the hook is there, unchanged and of this version, whether its
program runs, what of the host's own settings keeps it from being loaded, whether the host
gets tools twice, and what it makes of a reload. Without a host it looks at every hook.
Exit status: 0 also when something was found, 1 with --strict for an error.`,
    customUsage: ["[--project] [--strict] [--json] [<host>...]"],
  },
});

/** `mcp hooks` and what it has below it. */
export const hooksRoutes: RouteMap<CliContext> = buildRouteMap({
  routes: {
    list: listCommand,
    install: installCommand,
    uninstall: uninstallCommand,
    print: printCommand,
    doctor: doctorCommand,
  },
  defaultCommand: "list",
  docs: {
    brief: "Give host agents the tools of your servers, refreshed while they run",
    fullDescription: `Host agents get the tools of your servers by a hook: a file of their own, or
one entry in the file of their servers. Without a word it lists the hosts.`,
  },
});

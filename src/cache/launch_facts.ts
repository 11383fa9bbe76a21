import { dirname, isAbsolute, resolve } from "node:path";

import { withEnvFile } from "../definitions/env_file.ts";
import { serverEnvironment } from "../definitions/environment.ts";
import {
  expandConfig,
  filesOf,
  type PlaceholderContext,
  readFiles,
  type ShellValue,
} from "../definitions/placeholders.ts";
import { secretValues } from "../definitions/secrets.ts";
import type { ResolvedConfig, ServerConfig } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import type { JsonObject } from "../model/json.ts";
import type { HotplugFolders, Machine } from "../model/machine.ts";
import type { SourceInfo } from "../model/source.ts";
import { noteSecrets } from "../platform/looks.ts";
import { type ProgramSearch, resolveProgram } from "../platform/program.ts";
import { readTextFile } from "../platform/text_file.ts";
import { cacheFingerprint } from "./cache_key.ts";

/** What a server would be started or reached with. Holds secrets. */
export interface LaunchFacts {
  /** The definition, expanded, variables of its `envFile` included; values of commands left out. */
  readonly config: ResolvedConfig;
  /** Values that commands have yet to print. */
  readonly commands: readonly ShellValue[];
  /** The whole environment of the process; empty for a remote server. */
  readonly environment: Readonly<Record<string, string>>;
  /** Working folder, absolute. */
  readonly cwd: string;
  /** Where the program is, or was looked for; `null` for a remote server. */
  readonly program: ProgramSearch | null;
  /** What its lists are kept under. */
  readonly fingerprint: string;
  /** Texts that must never be shown. */
  readonly secrets: readonly string[];
}

/** What {@linkcode launchFacts} looks at. */
export interface LaunchInput {
  /** The server's name. */
  readonly name: string;
  /** Its definition, placeholders unexpanded, `cwd` decided by the plan. */
  readonly config: ServerConfig;
  /** Where it is declared. Absent: the host gave it, and it is read in the dialect of Hotplug. */
  readonly source?: SourceInfo | undefined;
  /** The machine. */
  readonly machine: Machine;
  /** Hotplug's folders; the key of the fingerprint lies in the state folder. */
  readonly folders: HotplugFolders;
  /** Root of the workspace. */
  readonly workspacePath: string;
  /** Client capabilities that are declared to the server. Default: none. */
  readonly capabilities?: JsonObject;
}

/** The facts, or why the definition cannot be started. */
export type LaunchResult =
  | { readonly ok: true; readonly facts: LaunchFacts }
  | { readonly ok: false; readonly problems: readonly ErrorInfo[] };

/**
 * Finds out what a server would be started with, and starts nothing: no process runs, commands of
 * `!` values neither (their text stands in the definition, so the fingerprint tells them apart). A
 * program that is not found is no problem yet: whoever starts it says so.
 *
 * A definition without `cwd` that came from a file runs in the home folder, where no repository's
 * files are picked up; one that the host gave runs in the workspace.
 */
export async function launchFacts(input: LaunchInput): Promise<LaunchResult> {
  const { name, machine, workspacePath, source } = input;
  const { decided, open } = split(input);
  const context: PlaceholderContext = {
    dialect: source?.dialect ?? "hotplug",
    env: machine.env,
    home: machine.home,
    workspacePath,
    configFolder: source === undefined || source.path === null ? null : dirname(source.path),
    pathSeparator: machine.platform === "win32" ? "\\" : "/",
  };
  const expansion = expandConfig(open, { ...context, files: await namedFiles(open, context) });
  if (expansion.problems.length > 0) return { ok: false, problems: expansion.problems };
  const completed = await completedConfig(name, { ...expansion.config, ...decided });
  if ("problem" in completed) return { ok: false, problems: [completed.problem] };
  const { config } = completed;
  const cwd = workingFolder(config, input);
  const isProcess = config.command !== undefined;
  const environment = isProcess
    ? serverEnvironment(source?.environment ?? "base", config, machine.env)
    : {};
  const program = config.command === undefined
    ? null
    : resolveProgram(config.command, { machine, env: environment, cwd });
  const fingerprint = await cacheFingerprint({
    name,
    config: input.config,
    resolved: config,
    environment,
    cwd,
    program: program?.path ?? null,
    capabilities: input.capabilities ?? {},
    keyFolder: input.folders.state,
  });
  const secrets = secretValues(config, expansion.secrets);
  noteSecrets(secrets);
  return {
    ok: true,
    facts: {
      config,
      commands: expansion.commands,
      environment,
      cwd,
      program,
      fingerprint,
      secrets,
    },
  };
}

/**
 * The paths that the plan decided, apart from the rest: what looks like a placeholder in them is a
 * name on the disk. To replace it once more would lead to another file than the approved one.
 */
function split({ config, source }: LaunchInput): {
  readonly decided: Pick<ServerConfig, "cwd" | "envFile">;
  readonly open: ServerConfig;
} {
  if (source === undefined) return { decided: {}, open: config };
  const { cwd, envFile, ...rest } = config;
  const isDecided = (path: string | undefined): path is string =>
    path !== undefined && isAbsolute(path);
  return {
    decided: {
      ...(isDecided(cwd) ? { cwd } : {}),
      ...(isDecided(envFile) ? { envFile } : {}),
    },
    open: {
      ...rest,
      ...(cwd === undefined || isDecided(cwd) ? {} : { cwd }),
      ...(envFile === undefined || isDecided(envFile) ? {} : { envFile }),
    },
  };
}

/** What the files hold that placeholders name, by path. */
async function namedFiles(
  config: ServerConfig,
  context: PlaceholderContext,
): Promise<ReadonlyMap<string, string | null>> {
  const files = await readFiles(config, context, readTextFile);
  // What a variable gave and is no file may be a secret.
  const literal = new Set(filesOf(config, { ...context, env: {} }));
  noteSecrets(
    [...files].filter(([path, text]) => text === null && !literal.has(path))
      .map(([path]) => path),
  );
  return files;
}

/** The config with the variables of its `envFile` below its own. */
async function completedConfig(
  name: string,
  config: ResolvedConfig,
): Promise<{ readonly config: ResolvedConfig } | { readonly problem: ErrorInfo }> {
  if (config.envFile === undefined || config.envFile === "") return { config };
  const file = await readTextFile(config.envFile);
  switch (file.state) {
    case "loaded":
      return { config: withEnvFile(config, file.text) };
    case "unreadable":
      return { problem: file.error };
    case "absent":
      return {
        problem: {
          code: "config-unreadable",
          message: `Cannot read the envFile of "${name}": "${file.path}" does not exist`,
          hint: "Create the file, or take envFile out of the definition",
        },
      };
  }
}

function workingFolder(config: ResolvedConfig, input: LaunchInput): string {
  const { cwd } = config;
  if (cwd === undefined || cwd === "") {
    return input.source === undefined ? input.workspacePath : input.machine.home;
  }
  return isAbsolute(cwd) ? cwd : resolve(input.workspacePath, cwd);
}

import { relative } from "node:path";
import { shownCommandLine, shownValue } from "../definitions/secrets.ts";
import type { Definition } from "../model/definition.ts";
import { HOOK_EVENTS, type HookEvent, type HookProgram } from "../model/hook_program.ts";
import type { SourceInfo } from "../model/source.ts";
import { repositoryFiles } from "./repository_files.ts";
import type { Survey } from "./survey.ts";

/** One program of a repository's hooks, and what it would do. Holds no secret. */
export interface PendingHook {
  /** When it would run. */
  readonly event: HookEvent;
  /** Line of its entry, if known. */
  readonly line: number | null;
  /** Its command line; secrets replaced. */
  readonly runs: string;
  /** What else steers it, such as `env.NODE_OPTIONS=…` or `tools=write_*`; secrets replaced. */
  readonly settings: readonly string[];
  /** Files of the repository that it would run or read, relative to the workspace. */
  readonly repositoryFiles: readonly string[];
}

/** The hooks of a repository, which wait for their user as a whole. */
export interface PendingHooks {
  /** Absolute path of their file. */
  readonly path: string;
  /** Whether other hooks of the repository were approved before. */
  readonly changed: boolean;
  /** Every program that would run, in the order of the events. */
  readonly hooks: readonly PendingHook[];
  /** What of the file cannot be used, one sentence each. */
  readonly warnings: readonly string[];
  /** What the approval is bound to: all that the file says. */
  readonly digest: string;
}

/** The hooks of the repository that wait for their user; `null` when none do. */
export function pendingHooks(found: Survey): PendingHooks | null {
  const { project } = found.hooks;
  if (project === null || project.approved || project.digest === null) return null;
  const { path, changed, digest, reading: { programs, broken, warnings } } = project;
  if (programs.length === 0 && broken.length === 0) return null;
  const hooks = programs.map((program) => pendingHook(program, found))
    .toSorted((one, other) => HOOK_EVENTS.indexOf(one.event) - HOOK_EVENTS.indexOf(other.event));
  return { path, changed, hooks, warnings, digest };
}

function pendingHook(
  program: HookProgram,
  { machine, input: { workspacePath } }: Survey,
): PendingHook {
  const { event, line, command, args, cwd, env, servers, tools, onError } = program;
  return {
    event,
    line,
    runs: shownCommandLine({ command, args }),
    settings: [
      ...(cwd === workspacePath ? [] : [`cwd=${relative(workspacePath, cwd)}`]),
      ...Object.entries(env).map(([name, value]) =>
        `env.${name}${value === null ? " unset" : `=${shownValue(name, value)}`}`
      ),
      ...(servers === null ? [] : [`servers=${servers.join(", ")}`]),
      ...(tools === null ? [] : [`tools=${tools.join(", ")}`]),
      ...(onError === "allow" ? ["onError=allow"] : []),
    ],
    repositoryFiles: repositoryFiles(asDefinition(program, workspacePath), machine, workspacePath),
  };
}

/** A program as if it were a server, to find the files that it would run. Its texts are literal. */
function asDefinition(
  { command, args, cwd, path, line }: HookProgram,
  workspacePath: string,
): Definition {
  const source: SourceInfo = {
    id: "hooks",
    label: "Project hooks",
    scope: "project",
    path,
    line,
    rank: 0,
    dialect: "literal",
    environment: "safe",
    store: false,
    base: workspacePath,
  };
  return { name: "hook", config: { command, args, cwd }, source, problems: [], warnings: [] };
}

import type { ErrorInfo } from "./errors.ts";

/** Who declared a server, strongest first; see {@linkcode SCOPES}. */
export type Scope = "managed" | "session" | "local" | "project" | "user";

/** Every scope in order of precedence, strongest first. */
export const SCOPES: readonly Scope[] = ["managed", "session", "local", "project", "user"];

/**
 * Which placeholders a file's strings may hold.
 * - `hotplug`: `${V}`, `${V:-default}`, `${env:V}`, `${input:id}`, folder variables, `!command`
 * - `braces`: `${V}`, `${V:-default}`, `${env:V}`
 * - `braces-command`: the same and `!command`
 * - `env-colon`: `${env:V}`, folder variables
 * - `vscode`: the same and `${input:id}`
 * - `literal`: none
 * - `common`: as `hotplug` without commands, and `${secret:NAME}`; for files whose translation brings
 *   variables in, and where the host's own syntax is not known for sure
 * - `env-file-colon`: as `env-colon`, and `${file:/path}`
 * - `env-braces`: `{env:V}`, `{file:path}`
 * - `dollar`: `$V`, `${V}`, `${V:-default}`, and on Windows `%V%` in `env`
 * - `dollar-only`: `$V`, `${V}`, `${V:-default}`
 * - `dollar-command`: `$V`, `${V}`, `${V:-default}`, and `$(command)` in `env` and `headers`
 * - `secrets`: `${{ secrets.X }}`, `${{ inputs.X }}`
 * - `cmd-braces`: `${V}`, `${V:-default}`, `${env:V}`, `${input:id}`, folder variables, and
 *   `${cmd: command}` in `env` and `headers`
 * - `braces-dollar`: `${V}`, `${V:-default}`, `$env:V`
 *
 * In all with `${V}` or `${env:V}`, `${input:id}` is read as a value that the user must give, and
 * defaults are understood; they are written only where the host knows them.
 */
export type PlaceholderDialect =
  | "hotplug"
  | "braces"
  | "braces-command"
  | "env-colon"
  | "vscode"
  | "literal"
  | "common"
  | "env-file-colon"
  | "env-braces"
  | "dollar"
  | "dollar-command"
  | "dollar-only"
  | "secrets"
  | "cmd-braces"
  | "braces-dollar";

/**
 * What a stdio server inherits when its definition does not say.
 * - `all`: the whole environment
 * - `base`: home, path, locale, temp folder, proxies, certificates, XDG folders, agents' sockets
 * - `safe`: `base` without `XDG_RUNTIME_DIR` and sockets
 * - `codex`: home, path, shell, locale, terminal, temp folder and time zone alone; no proxies, no
 *   certificates
 */
export type EnvironmentPolicy = "all" | "base" | "safe" | "codex";

/** Where a definition stands and by which rules it is read. */
export interface SourceInfo {
  /** Stable name of the source, such as `claude-code`. */
  readonly id: string;
  /** Name for humans, such as `Claude Code`. */
  readonly label: string;
  /** Who declared it. */
  readonly scope: Scope;
  /** Absolute path of the file; `null` when it comes from no file. */
  readonly path: string | null;
  /** Line of the entry, from 1; `null` when not known or not asked for. */
  readonly line: number | null;
  /** Precedence within the scope; higher wins. */
  readonly rank: number;
  /** Placeholders its strings may hold. */
  readonly dialect: PlaceholderDialect;
  /** What its processes inherit unless the definition says. */
  readonly environment: EnvironmentPolicy;
  /** `true`: the file only defines; a workspace file must enable each name. */
  readonly store: boolean;
  /**
   * Absolute folder that relative paths stand against. Absent: the file's folder for scope
   * `project`, the home folder for any other file, the workspace without a file.
   */
  readonly base?: string;
  /** Keys and positions that lead to the entry in its file; absent when it cannot be edited. */
  readonly keyPath?: readonly (string | number)[];
}

/** What became of one path that a source looked at. */
export type SourceState =
  | "loaded"
  | "absent"
  | "empty"
  | "unreadable"
  | "malformed"
  | "off"
  | "near-miss";

/** One path that a source looked at. */
export interface SourceReport {
  /** Stable name of the source. */
  readonly id: string;
  /** Name for humans. */
  readonly label: string;
  /** Whose definitions stand there. */
  readonly scope: Scope;
  /** Absolute path. */
  readonly path: string;
  /** What was found. */
  readonly state: SourceState;
  /** How many definitions it gave. */
  readonly servers: number;
  /** Why it could not be used, with line and column when there is one. */
  readonly error: ErrorInfo | null;
  /** What its author should know though it was read. */
  readonly warnings: readonly string[];
  /** `false`: neither the host's program nor its documentation confirms the file's format. */
  readonly confirmed?: boolean;
}

/** One file that says which servers of a store run in a workspace. */
export interface WorkspaceSwitches {
  /** Name of the source whose file it is. */
  readonly sourceId: string;
  /** Absolute path of the file, there or not. */
  readonly path: string;
  /** Ids of the stores whose definitions it enables. */
  readonly governs: readonly string[];
  /** Names switched on here. */
  readonly enabled: readonly string[];
  /** Names switched off here, of any source. */
  readonly disabled: readonly string[];
}

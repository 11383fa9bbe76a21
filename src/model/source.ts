import type { ErrorInfo } from "./errors.ts";

/** Who declared a server, strongest first; see {@linkcode SCOPES}. */
export type Scope = "managed" | "session" | "local" | "project" | "user";

/** Every scope in order of precedence, strongest first. */
export const SCOPES: readonly Scope[] = ["managed", "session", "local", "project", "user"];

/**
 * Which placeholders a file's strings may hold.
 * - `hotplug`: `${V}`, `${V:-default}`, `${env:V}`, folder variables, `!command`
 * - `braces`: `${V}`, `${V:-default}`
 * - `braces-command`: the same and `!command`
 * - `env-colon`: `${env:V}`
 * - `literal`: none
 */
export type PlaceholderDialect =
  | "hotplug"
  | "braces"
  | "braces-command"
  | "env-colon"
  | "literal";

/**
 * What a stdio server inherits when its definition does not say.
 * - `all`: the whole environment
 * - `base`: home, path, locale, temp folder, proxies, certificates, XDG folders, agents' sockets
 * - `safe`: `base` without `XDG_RUNTIME_DIR` and sockets
 */
export type EnvironmentPolicy = "all" | "base" | "safe";

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

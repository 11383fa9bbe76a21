import type { ErrorInfo } from "./errors.ts";

/** When a program that a file names is run. */
export type HookEvent =
  | "discover"
  | "tools-changed"
  | "server-state"
  | "before-connect"
  | "before-call"
  | "after-call";

/** Every event. */
export const HOOK_EVENTS: readonly HookEvent[] = [
  "discover",
  "tools-changed",
  "server-state",
  "before-connect",
  "before-call",
  "after-call",
];

/** The events whose programs may stop what is about to happen. */
export type VetoEvent = "before-connect" | "before-call";

/** Every such event. */
export const VETO_EVENTS: readonly VetoEvent[] = ["before-connect", "before-call"];

/** Which servers and tools a hook is about. */
export interface HookScope {
  /** Globs of the servers; `null` means all. */
  readonly servers: readonly string[] | null;
  /** Globs of the tools, by their servers' own names; `null` means all. */
  readonly tools: readonly string[] | null;
}

/** A program that runs at an event, as a file names it. */
export interface HookProgram extends HookScope {
  /** When it runs. */
  readonly event: HookEvent;
  /** The program as written: a path, or a name that `PATH` is searched for. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** Its working folder, absolute. */
  readonly cwd: string;
  /** Variables beyond what it inherits; `null` unsets one. May hold secrets. */
  readonly env: Readonly<Record<string, string | null>>;
  /** Milliseconds that it may take. */
  readonly timeoutMs: number;
  /** Whether what it was asked about goes on when it fails. */
  readonly onError: "deny" | "allow";
  /** Whose file names it: it decides what the program inherits. */
  readonly scope: "user" | "project";
  /** Absolute path of that file. */
  readonly path: string;
  /** Line of the entry, if known. */
  readonly line: number | null;
}

/** A hook that may stop things and cannot be asked, so that it stops them. */
export interface BrokenHook extends HookScope {
  /** What it stops. */
  readonly events: readonly VetoEvent[];
  /** Why it cannot be asked, naming file and line. */
  readonly reason: ErrorInfo;
}

/** The hooks of all files that count here, in the order in which they are asked. */
export interface HookSet {
  /** What runs. */
  readonly programs: readonly HookProgram[];
  /** What cannot run and therefore stops things. */
  readonly broken: readonly BrokenHook[];
}

/** No hooks. */
export const NO_HOOKS: HookSet = { programs: [], broken: [] };

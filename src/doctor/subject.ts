import type { LaunchFacts } from "../cache/launch_facts.ts";
import type { Definition } from "../model/definition.ts";
import type { ToolInfo } from "../model/listing.ts";
import type { Verdict } from "../model/plan.ts";
import type { LaunchDecision } from "../plan/plan_facts.ts";
import type { ForeignSystem } from "../platform/foreign_path.ts";

/** One definition, and all that is known of it without starting anything. Holds secrets. */
export interface Subject {
  /** The definition as its file has it. */
  readonly definition: Definition;
  /** Whether it stands for its name. */
  readonly wins: boolean;
  /** The row's verdict when it stands for its name, else its own. */
  readonly verdict: Verdict;
  /** What its host takes as it is written, though placeholders of the dialect may be added to it. */
  readonly literal: boolean | readonly string[];
  /** Its placeholders replaced; `null` when it may not be evaluated. */
  readonly decision: LaunchDecision | null;
  /** What it would be started with; `null` unless it would run, now or were it alone. */
  readonly launch: LaunchFacts | null;
  /** Where its program is; `null` for a remote server, and when it may not be evaluated. */
  readonly program: ProgramFacts | null;
  /** The folder it would start in; `null` for a remote server, and when it may not be evaluated. */
  readonly folder: FolderFacts | null;
  /** Its tools as they were last listed; `null` when no list is remembered. */
  readonly tools: RememberedTools | null;
}

/** Where the program of a definition was looked for. */
export interface ProgramFacts {
  /** The command as the file has it. */
  readonly written: string;
  /** Absolute path; `null` when there is none on the path that the server gets. */
  readonly path: string | null;
  /** How many places were looked at. */
  readonly searched: number;
  /** The other system whose path the command is; `null` when it may be one of this system. */
  readonly foreign: ForeignSystem | null;
  /** A file of that name that may not be run. */
  readonly unusable: string | null;
  /** Where the user's own `PATH` has it; `null` when nowhere. */
  readonly onOwnPath: string | null;
  /** A program that is there and is called alike. */
  readonly near: string | null;
  /** The first word of a command with blanks, when that alone is a program. */
  readonly firstWord: string | null;
  /** The program that the first line of a script names, and where the server's path has it. */
  readonly interpreter: { readonly name: string; readonly path: string | null } | null;
  /** What an agent sees that was started from the desktop; `null` where that makes no difference. */
  readonly desktop: DesktopView | null;
}

/** What is where a server would start. */
export interface FolderFacts {
  /** Absolute path. May hold secrets that a placeholder gave. */
  readonly path: string;
  /** What is there. */
  readonly kind: "folder" | "file" | "absent";
  /** The other system as whose path the file writes it; `null` when it may be one of this system. */
  readonly foreign: ForeignSystem | null;
}

/** What an agent finds with the `PATH` of a desktop session. */
export interface DesktopView {
  /** Whether it finds the program. */
  readonly program: boolean;
  /** Whether it finds the interpreter; `true` without one. */
  readonly interpreter: boolean;
}

/** A list of tools from the cache. */
export interface RememberedTools {
  /** The tools that the definition offers. */
  readonly tools: readonly ToolInfo[];
  /** Age of the list in milliseconds. */
  readonly ageMs: number;
}

/** Verdicts of what somebody switched off or left out on purpose. */
const OFF: ReadonlySet<Verdict["state"]> = new Set(["disabled", "filtered", "blocked"]);

/** Whether anybody would start the definition, once what hinders it is mended. */
export function isActive({ verdict }: Subject): boolean {
  return !OFF.has(verdict.state);
}

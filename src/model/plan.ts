import type { Definition, ServerConfig } from "./definition.ts";
import type { ErrorInfo } from "./errors.ts";
import type { HookSet } from "./hook_program.ts";
import type { SourceInfo, SourceReport } from "./source.ts";

/** Why a row does not start. Every other row starts. */
export type PlanState =
  | "missing"
  | "duplicate"
  | "blocked"
  | "disabled"
  | "filtered"
  | "error"
  | "untrusted"
  | "needs-input";

/** What the plan says of one row: it runs, or it does not and why. */
export type Verdict =
  | { readonly state: "run" }
  | { readonly state: PlanState; readonly reason: ErrorInfo | null };

/** A definition that did not win its name, and why. */
export interface OtherDefinition {
  /** Where it stands. */
  readonly source: SourceInfo;
  /** `shadowed`: a stronger definition won; else why it did not contend. */
  readonly state: "shadowed" | PlanState;
  /** What it lost to, in words. */
  readonly of: string;
  /** `true`: it is sound and its own file has it on, so that its host starts it. */
  readonly isOn?: boolean;
}

/** One name, and what may be done with it here. */
export interface PlannedServer {
  /** The server's name. */
  readonly name: string;
  /** The definition that stands for the name; `null` for `missing`. */
  readonly definition: Definition | null;
  /**
   * What to start it with: the definition's config with `cwd` decided (absolute). Placeholders
   * are not expanded. `null` unless the verdict is `run`.
   */
  readonly launch: ServerConfig | null;
  /** Whether it would run. */
  readonly verdict: Verdict;
  /** The workspace's switch. */
  readonly workspace: "enabled" | "disabled";
  /** The other definitions of the name. */
  readonly others: readonly OtherDefinition[];
  /** What the user should know though it runs. */
  readonly warnings: readonly string[];
}

/** Which servers may run in a workspace, and why the others may not. Plain data without secrets. */
export interface Plan {
  /** Root of the workspace. */
  readonly workspacePath: string;
  /** Path of the store file, there or not. */
  readonly store: string;
  /** Path of the workspace file, there or not. */
  readonly workspaceConfig: string;
  /** One row a name, in order of precedence. */
  readonly servers: readonly PlannedServer[];
  /** Every path that was looked at. */
  readonly sources: readonly SourceReport[];
}

/** What discovery gives to a host. */
export interface LoadedConfigs {
  /** What may run, by name, in plan order. */
  readonly configs: Readonly<Record<string, ServerConfig>>;
  /** Where each of them is declared. */
  readonly sources: Readonly<Record<string, SourceInfo>>;
  /** Keys found in filtered Exa entries, for a native integration. Secret: never shown. */
  readonly exaApiKeys: readonly string[];
  /** The whole plan, rows that do not run included. */
  readonly plan: Plan;
  /** The hooks of all files that count here. May hold secrets. Absent: none. */
  readonly hooks?: HookSet;
  /** Whether the settings want files watched while servers run; absent: they do not say. */
  readonly watch?: boolean;
}

import type { HookChange, HookFinding, HookScope } from "../hosts/host_kind.ts";
import type { PrintedFile } from "../hosts/print_hook.ts";
import type { Document } from "./documents.ts";

/** One hook of `mcp hooks --json`. */
export interface ListedHook {
  /** Kind of host. */
  readonly kind: string;
  /** Name of the host for humans. */
  readonly label: string;
  /** Whether the host seems to be in use here. */
  readonly found: boolean;
  /** Whose sessions: all of the user's, or those in this project. */
  readonly scope: HookScope;
  /** Whether the hook is there. */
  readonly installed: boolean;
  /** Whether the user changed it. */
  readonly changed: boolean;
  /** Version of Hotplug that wrote it; `null` when not known. */
  readonly version: string | null;
  /** When the host takes other tools after a reload. */
  readonly refresh: "at-once" | "next-request" | "never";
  /** Absolute paths of the files that hold it, or would. */
  readonly paths: readonly string[];
  /** What hinders looking at it. */
  readonly problem: string | null;
}

/** `mcp hooks --json`. */
export interface HooksDocument extends Document {
  /** Root of the workspace. */
  readonly workspacePath: string;
  /** One for each host and scope. */
  readonly hooks: readonly ListedHook[];
}

/** One hook of `mcp hooks install --json` and `mcp hooks uninstall --json`. */
export interface ChangedHook extends Omit<HookChange, "files"> {
  /** Every file that was changed, or would be. */
  readonly files: readonly {
    readonly path: string;
    /** Whether there was no such file. */
    readonly created: boolean;
    /** Whether it is gone. */
    readonly removed: boolean;
    /** What would change, with secrets replaced; `null` without `--dry-run`, and of scripts. */
    readonly diff: string | null;
  }[];
  /** What to do to see the tools; `null` after a removal. */
  readonly next: string | null;
}

/** `mcp hooks install --json` and `mcp hooks uninstall --json`. */
export interface HooksEditDocument extends Document {
  /** Whether nothing was written. */
  readonly dryRun: boolean;
  /** Command line that the hooks start; `null` for a removal. */
  readonly program: readonly string[] | null;
  /** One for each kind that was named. */
  readonly hooks: readonly ChangedHook[];
}

/** `mcp hooks print --json`. */
export interface HookPrintDocument extends Document {
  /** Kind of host. */
  readonly kind: string;
  /** Whose sessions. */
  readonly scope: HookScope;
  /** Its files where nothing stands yet. */
  readonly files: readonly PrintedFile[];
}

/** `mcp hooks doctor --json`. */
export interface HooksDoctorDocument extends Document {
  /** The hooks that were looked at. */
  readonly hooks: readonly { readonly kind: string; readonly scope: HookScope }[];
  /** What was found. */
  readonly findings: readonly HookFinding[];
  /** The findings counted. */
  readonly summary: {
    readonly errors: number;
    readonly warnings: number;
    readonly infos: number;
  };
}

import type { PendingApproval } from "../plan/approve.ts";
import type { PendingHooks } from "../plan/hook_approval.ts";
import type { Document } from "./documents.ts";

/** `mcp trust --json`. */
export interface TrustDocument extends Document {
  /** Root of the workspace. */
  readonly workspacePath: string;
  /** Whether the folder was approved by this command. */
  readonly folder: boolean;
  /** What was approved by this command. */
  readonly approved: readonly PendingApproval[];
  /** What was asked for and still waits. */
  readonly pending: readonly PendingApproval[];
  /** The hooks of the project, and whether this command approved them; absent when none wait. */
  readonly hooks?: PendingHooks & { readonly approved: boolean };
}

/** `mcp untrust --json`. */
export interface UntrustDocument extends Document {
  /** Root of the workspace. */
  readonly workspacePath: string;
  /** Names whose approvals were withdrawn. */
  readonly withdrawn: readonly string[];
  /** Whether the folder's approval was withdrawn. */
  readonly folder: boolean;
  /** Whether the approval of the project's hooks was withdrawn. */
  readonly hooks: boolean;
}

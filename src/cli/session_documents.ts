import type { RefreshReport, SessionInfo } from "../model/session_view.ts";
import type { Document, ErrorDocument } from "./documents.ts";

/** What became of one live session that was asked for something. */
export interface SteeredSessionResult {
  /** Who it is. */
  readonly session: SessionInfo;
  /** What it led to; `null` when it failed. */
  readonly report: RefreshReport | null;
  /** Why it failed: `session-silent`, or what the session says. */
  readonly error: ErrorDocument["error"] | null;
}

/** `mcp reload --json`. */
export interface ReloadDocument extends Document {
  /** Root of the workspace. */
  readonly workspacePath: string;
  /** Every live session that was reached, the oldest first. */
  readonly sessions: readonly SteeredSessionResult[];
  /**
   * What the command did by itself, as no session was live: every server that may run was started
   * once and its lists were remembered. `null` when sessions did it.
   */
  readonly direct: RefreshReport | null;
}

/** `mcp pause|resume|retry --json`. */
export interface SteerDocument extends Document {
  /** What was asked for. */
  readonly action: "pause" | "resume" | "retry";
  /** Name of the server. */
  readonly server: string;
  /** Every live session that was reached, the oldest first. */
  readonly sessions: readonly SteeredSessionResult[];
}

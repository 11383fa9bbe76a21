import type { ErrorInfo } from "../model/errors.ts";
import type { ServerView } from "../model/server_view.ts";
import type { SessionInfo } from "../model/session_view.ts";

/** A live session as `mcp status` shows it. */
export interface ShownSession {
  /** Who it is. */
  readonly session: SessionInfo;
  /** Generation of its tool set; `null` when it did not answer. */
  readonly generation: number | null;
  /** Number of tools that it offers; `null` when it did not answer. */
  readonly tools: number | null;
  /** The row of every server in it; none when it did not answer. */
  readonly servers: readonly ServerView[];
  /** Why it did not answer. */
  readonly error: ErrorInfo | null;
}

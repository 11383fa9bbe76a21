import type { ErrorInfo } from "./errors.ts";
import type { ServerState } from "./server_state.ts";
import type { ServerView } from "./server_view.ts";
import type { RefreshOutcome, ToolSetDiff } from "./tool_set.ts";

/** Who a live session is. Plain data without secrets. */
export interface SessionInfo {
  /** Identifies it among all sessions of the user. */
  readonly id: string;
  /** Process that owns it. */
  readonly pid: number;
  /** Root of its workspace. */
  readonly workspacePath: string;
  /** What owns it: a program that uses the library, or the gateway `mcp serve`. */
  readonly kind: "library" | "gateway";
  /** The host agent that it serves, as far as known, such as `claude-code`. */
  readonly host: string | null;
  /** When it began, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Version of Hotplug that it runs. */
  readonly version: string;
}

/** A session as it stands now. */
export interface SessionStatus {
  /** Who it is. */
  readonly session: SessionInfo;
  /** Generation of its tool set. */
  readonly generation: number;
  /** Number of tools that it offers. */
  readonly tools: number;
  /** The row of every server, in order. */
  readonly servers: readonly ServerView[];
}

/** What a reload is asked for. */
export interface ReloadRequest {
  /** Servers that are restarted even when nothing of them differs. Default: none. */
  readonly servers?: readonly string[];
  /** Ends every server and starts all anew. Default `false`. */
  readonly restart?: boolean;
}

/** States of servers that do not run until their user does something about it. */
export const WAITING_STATES: ReadonlySet<ServerState> = new Set<ServerState>([
  "missing",
  "blocked",
  "error",
  "untrusted",
  "needs-input",
]);

/** What became of one server in a reload. */
export interface ReloadedServer {
  /** Its name. */
  readonly name: string;
  /** What was done with it; `none` of one that does not run, though somebody may think it does. */
  readonly action: "started" | "restarted" | "stopped" | "kept" | "none";
  /** Its state when the reload was done. */
  readonly state: ServerState;
  /** Number of tools that it offers; `null` when not known. */
  readonly tools: number | null;
  /** Why it offers none. */
  readonly error: ErrorInfo | null;
}

/** What a reload, a pause, a resume or a retry led to. */
export interface RefreshReport extends ToolSetDiff {
  /** Generation of the tool set afterwards. */
  readonly generation: number;
  /** Number of tools before. */
  readonly before: number;
  /** Number of tools afterwards. */
  readonly after: number;
  /** What the host made of it; `null` when the set is the same, or nobody listens. */
  readonly host: RefreshOutcome | null;
  /**
   * Every server that runs or was touched, in order; after a reload those that wait for their user,
   * or are new and do not run, too.
   */
  readonly servers: readonly ReloadedServer[];
  /** Files that cannot be used, and servers that failed: `mcp:<server>` or a path. */
  readonly errors: readonly { readonly path: string; readonly error: ErrorInfo }[];
  /** How long it took, in milliseconds. */
  readonly elapsedMs: number;
}

/** A live session as others may steer it: what the control socket serves. */
export interface SteeredSession {
  /** Who it is. */
  readonly info: SessionInfo;
  /** How it stands. */
  status(): SessionStatus;
  /**
   * Reads everything anew and lets it take effect.
   * @throws {HotplugError} `discovery-failed`, and then nothing has changed; `unknown-server`;
   * `aborted`.
   */
  reload(request?: ReloadRequest, options?: { readonly signal?: AbortSignal }): Promise<
    RefreshReport
  >;
  /** Takes a server's tools away until it is resumed; running calls get 10 s. */
  pause(server: string, options?: { readonly signal?: AbortSignal }): Promise<RefreshReport>;
  /** Starts a paused server again. */
  resume(server: string, options?: { readonly signal?: AbortSignal }): Promise<RefreshReport>;
  /** Sets a server's counters to zero and opens a new connection. */
  retry(server: string, options?: { readonly signal?: AbortSignal }): Promise<RefreshReport>;
}

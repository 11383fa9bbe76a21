import type { ErrorInfo } from "../model/errors.ts";
import type { LoadedConfigs } from "../model/plan.ts";
import type { RefreshReport, ReloadRequest, SteeredSession } from "../model/session_view.ts";
import type { Tool } from "../model/tool.ts";
import type { ToolSet } from "../model/tool_set.ts";
import type { ToolExecutor } from "../tools/tool_executor.ts";
import type { DelegatedTools, DelegateOptions } from "./delegate.ts";
import type { MCPManager } from "../runtime/manager.ts";

/**
 * A running tool set for one workspace: it is exchanged whole when servers or configs change, by a
 * reload or by itself, and its host is told of each new one. Made by `createSession()`; whoever
 * holds it ends it: `await using`, or `close()`.
 */
export interface MCPSession extends SteeredSession, AsyncDisposable {
  /** Runs the servers. The session's own `close()` ends them. */
  readonly manager: MCPManager;
  /** The tools on offer. The same array until one of them changes. */
  readonly tools: readonly Tool[];
  /** Number of the tool set: it grows with each change that a model can see. */
  readonly generation: number;
  /** The tools on offer and their generation. */
  readonly toolSet: ToolSet;
  /** What was read last; `null` when nothing could be. */
  readonly configs: LoadedConfigs | null;
  /** Why nothing could be read so far; `null` once something was, and when nothing was to be. */
  readonly failure: ErrorInfo | null;
  /**
   * Reads everything anew and lets it take effect: servers whose definition differs, and those that
   * are not connected, start anew; the others are asked for their lists again. The tool set is
   * exchanged once, when all have settled, at most after 10 seconds.
   * @throws {HotplugError} `discovery-failed` or `unknown-server`, and then nothing has changed;
   * `not-connected` when the session has ended; `aborted`.
   */
  reload(
    request?: ReloadRequest,
    options?: { readonly signal?: AbortSignal },
  ): Promise<RefreshReport>;
  /**
   * Takes a server's tools away until it is resumed; calls that run get 10 seconds. It changes this
   * session alone, and lasts over reloads.
   * @throws {HotplugError} `unknown-server`, `not-connected`.
   */
  pause(server: string, options?: { readonly signal?: AbortSignal }): Promise<RefreshReport>;
  /**
   * Starts a paused server again; one that is not paused stays as it is.
   * @throws {HotplugError} `unknown-server`, `not-connected`, `aborted`.
   */
  resume(server: string, options?: { readonly signal?: AbortSignal }): Promise<RefreshReport>;
  /**
   * Reads everything anew, forgets how often a server failed, and starts it.
   * @throws {HotplugError} `unknown-server`; `server-not-runnable` for one that is paused;
   * `discovery-failed`, `not-connected`, `aborted`.
   */
  retry(server: string, options?: { readonly signal?: AbortSignal }): Promise<RefreshReport>;
  /**
   * Has the host's tools exchanged for those of the session, by the option `hostTools`: every MCP
   * tool is removed, the latest ones are registered and switched on. It happens by itself whenever
   * they change; this is for a host that has lost them.
   * @throws {HotplugError} `hook-failed` when the host threw; `aborted`.
   */
  refreshMCPTools(options?: { readonly signal?: AbortSignal }): Promise<void>;
  /**
   * Calls tools by the names that the model knows them by, those of the moment and those that an
   * earlier request told it of.
   */
  readonly executor: ToolExecutor;
  /**
   * Tools for a subagent: their calls go over the connections of this session, which stays theirs to
   * end. The choice follows the session's tools as they change.
   */
  delegate(options?: DelegateOptions): DelegatedTools;
  /**
   * Resolves when no server is on its way any more and what they offer is on offer, after a reload
   * too. Never rejects.
   */
  settled(options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** Ends the session and its servers. Bounded, idempotent, never rejects. */
  close(): Promise<void>;
}

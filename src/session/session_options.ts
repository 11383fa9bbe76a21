import type { PlannedServer } from "../model/plan.ts";
import type { ServerView } from "../model/server_view.ts";
import type { Tool } from "../model/tool.ts";
import type { RefreshOutcome, ToolSet, ToolSetDiff } from "../model/tool_set.ts";
import type { LoadMCPToolsOptions } from "./load_options.ts";

/** What exchanges the tools of a host, such as {@linkcode HostTools}. */
export interface ToolKeeper {
  /** Has the host offer these tools in the place of all that it was given before. */
  refresh(
    tools: readonly Tool[],
    options: { readonly signal?: AbortSignal | undefined },
  ): Promise<unknown>;
}

/** Why a server is left out of a session. */
export interface LeftOut {
  /** One sentence without a final stop. */
  readonly message: string;
  /** What to do about it; `null` when there is nothing. */
  readonly hint: string | null;
}

/** What {@linkcode createSession} takes. Everything has a default. */
export interface SessionOptions extends Omit<LoadMCPToolsOptions, "onToolsChanged"> {
  /** Current folder of the host. Default: of the process. */
  readonly cwd?: string;
  /**
   * The `mcpServers` that a client of the Agent Client Protocol sent with `session/new`,
   * `session/load` or `session/resume`. Given, even as an empty array, they take the place of all
   * that this machine and this workspace declare.
   */
  readonly mcpServers?: unknown;
  /** `merge` puts the client's servers above the local ones instead. Default `replace`. */
  readonly acp?: "replace" | "merge";
  /** Which program owns the session. Default `library`. */
  readonly kind?: "library" | "gateway";
  /** The host agent behind it, such as `claude-code`. Default `null`. */
  readonly host?: string | null;
  /**
   * Whether `mcp reload`, `pause`, `resume`, `retry` and `status` of this user reach the session.
   * Default `true`. Without the means for it the session lives on, and says so once in its log.
   */
  readonly control?: boolean;
  /**
   * Why a server is left out of this session, in one sentence without a final stop, and perhaps
   * what to do about it; `null` for one that takes part. Default: all do. Such rows are `filtered`.
   */
  readonly leaveOut?: (server: PlannedServer) => LeftOut | string | null;
  /**
   * Called when the tool set is another one, with how it differs from the one that it took last.
   * Not twice at a time: what happens meanwhile is told together afterwards. A reload waits until it
   * is done. One that takes more than 8 seconds is waited for no longer and reported as `announced`.
   * What it throws is logged and reported as `failed`; the next reload tells it again.
   */
  readonly onRefresh?: (
    toolSet: ToolSet,
    diff: ToolSetDiff,
  ) => void | RefreshOutcome | Promise<void | RefreshOutcome>;
  /**
   * Keeps the tools in the host's own registry: it is given the first ones and each new set, before
   * `onRefresh` is called, whatever becomes of it. The same limits hold. Default: nobody does.
   */
  readonly hostTools?: ToolKeeper;
  /** Called with a server's row whenever it changes. What it throws is logged. */
  readonly onServer?: (view: ServerView) => void;
}

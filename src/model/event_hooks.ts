import type { TransportType } from "./definition.ts";
import type { ErrorInfo } from "./errors.ts";
import type { JsonObject } from "./json.ts";
import type { ServerState } from "./server_state.ts";
import type { SourceView } from "./server_view.ts";

/** What every hook gets beside its event. */
export interface HookContext {
  /**
   * Fires when nobody waits for the answer any more: the caller gave up, or the manager was closed.
   */
  readonly signal: AbortSignal;
}

/** What a server is started or reached with, without secrets. */
export interface HookConnection {
  /** What the definition says; `null` when it leaves that open. */
  readonly type: TransportType | null;
  /** Program as it is written, placeholders replaced; `null` for a remote server. */
  readonly command: string | null;
  /** Arguments of the program, placeholders replaced, secrets shown as `***`. */
  readonly args: readonly string[];
  /** Absolute path of the program; `null` when none was found, and for a remote server. */
  readonly program: string | null;
  /** Working folder of the program, absolute; `null` for a remote server. */
  readonly cwd: string | null;
  /** Address, secrets shown as `***`; `null` for a local server. */
  readonly url: string | null;
  /** Names of the variables that the definition gives to the program; never their values. */
  readonly envNames: readonly string[];
  /** Names of the headers that the definition sends; never their values. */
  readonly headerNames: readonly string[];
}

/** A server is about to be started or reached, for the first time or again. */
export interface BeforeConnectEvent {
  /** Root of the workspace. */
  readonly workspacePath: string;
  /** Name of the server. */
  readonly server: string;
  /** Where the server is declared, if known. */
  readonly source: SourceView | null;
  /** What it is started or reached with. */
  readonly connection: HookConnection;
}

/** A tool is about to be called. */
export interface BeforeCallEvent {
  /** Root of the workspace. */
  readonly workspacePath: string;
  /** Name of the server. */
  readonly server: string;
  /** Where the server is declared, if known. */
  readonly source: SourceView | null;
  /** The server's own name of the tool. */
  readonly tool: string;
  /** Behaviour hints of the tool, as its server claims them. */
  readonly annotations: JsonObject | null;
  /** Arguments of the call, as earlier hooks have left them. */
  readonly arguments: JsonObject;
}

/** What is told of a failure. */
export type HookError = Pick<ErrorInfo, "code" | "message" | "hint">;

/** A result in numbers: what it holds is for the caller alone. */
export interface ResultSummary {
  /** Whether the tool says that it failed. */
  readonly isError: boolean;
  /** The first 100 content blocks, in order. */
  readonly content: readonly {
    /** Kind of the block, such as `text` or `image`. */
    readonly type: string;
    /** Characters of its text or of its encoded data. */
    readonly size: number;
  }[];
  /** Whether there is a structured result beside them. */
  readonly structured: boolean;
}

/** A call of a tool has ended, or a hook has stopped it. */
export interface AfterCallEvent {
  /** Root of the workspace. */
  readonly workspacePath: string;
  /** Name of the server. */
  readonly server: string;
  /** The server's own name of the tool. */
  readonly tool: string;
  /** Arguments as they were sent. */
  readonly arguments: JsonObject;
  /** Milliseconds from the first hook to the end. */
  readonly elapsedMs: number;
  /** What came back; `null` when the call failed. */
  readonly result: ResultSummary | null;
  /** Why the call failed; `null` when a result came back. */
  readonly error: HookError | null;
}

/** A tool as it is offered. */
export interface HookTool {
  /** Public name. */
  readonly name: string;
  /** Name of the server. */
  readonly server: string;
  /** The server's own name of the tool. */
  readonly tool: string;
}

/** The tools on offer have changed. Changes of one moment are told together. */
export interface ToolsChangedEvent {
  /** Root of the workspace. */
  readonly workspacePath: string;
  /** All that are on offer now. */
  readonly tools: readonly HookTool[];
  /** Public names that were not there when this was told last. */
  readonly added: readonly string[];
  /** Public names that are gone since. */
  readonly removed: readonly string[];
  /** Public names whose description or schema of arguments is another one since. */
  readonly changed: readonly string[];
}

/** A server's state is another one, or its reason is. Only the newest is told. */
export interface ServerStateEvent {
  /** Root of the workspace. */
  readonly workspacePath: string;
  /** Name of the server. */
  readonly server: string;
  /** Its state now. */
  readonly state: ServerState;
  /** The state that was told before; `null` when none was. */
  readonly before: ServerState | null;
  /** Number of tools that it offers; `null` when not known. */
  readonly tools: number | null;
  /** Why it is not connected. */
  readonly error: HookError | null;
}

/** Stops what is about to happen. */
export interface HookVeto {
  /** Why, for whoever asked for it: a user or a model. */
  readonly veto: string;
}

/** Lets a call go on with other arguments. */
export interface HookRewrite {
  /** What the server gets; all of them. */
  readonly arguments: JsonObject;
}

/** What may be said before a server is started: nothing lets it start. */
export type ConnectAnswer = void | undefined | HookVeto;

/** What may be said before a tool is called: nothing lets the call go on as it is. */
export type CallAnswer = void | undefined | HookVeto | HookRewrite;

/**
 * Functions of a host that are asked before servers are started and tools called, or told of what
 * happens. Several are asked one after the other, each with the arguments that those before it have
 * left; the first veto ends it.
 *
 * What a `before…` function throws, or answers in another shape, stops what was about to happen
 * (`hook-failed`); one that never answers holds it up until its caller gives up. What the other
 * functions throw is logged; they run in the background and hold nothing up.
 *
 * @example
 * ```ts
 * import { discoverAndLoadMCPTools, type EventHooks } from "@hotplug/mcp";
 *
 * const readOnly: EventHooks = {
 *   beforeCall: ({ tool, annotations }) =>
 *     annotations?.["readOnlyHint"] === true ? undefined : { veto: `"${tool}" may change something` },
 * };
 * const { manager } = await discoverAndLoadMCPTools(undefined, { hooks: [readOnly] });
 * await manager.disconnectAll();
 * ```
 */
export interface EventHooks {
  /** What messages call it. Default: `a hook of the host`. */
  readonly name?: string;
  /**
   * Asked before each attempt to start or reach a server, after the policy. A veto shows in the
   * server's row as `blocked`, until somebody asks for the server anew.
   */
  beforeConnect?(
    event: BeforeConnectEvent,
    context: HookContext,
  ): ConnectAnswer | Promise<ConnectAnswer>;
  /**
   * Asked before each call of a tool, once also when the call is repeated. Reading resources and
   * prompts, and a connection that is used without the manager, do not ask.
   */
  beforeCall?(event: BeforeCallEvent, context: HookContext): CallAnswer | Promise<CallAnswer>;
  /** Told after each call of a tool. */
  afterCall?(event: AfterCallEvent, context: HookContext): void | Promise<void>;
  /** Told when the tools on offer have changed. */
  toolsChanged?(event: ToolsChangedEvent, context: HookContext): void | Promise<void>;
  /** Told when a server's state has changed. */
  serverState?(event: ServerStateEvent, context: HookContext): void | Promise<void>;
}

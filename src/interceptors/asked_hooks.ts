import { type ErrorInfo, toHotplugError } from "../model/errors.ts";
import type {
  AfterCallEvent,
  BeforeCallEvent,
  BeforeConnectEvent,
  EventHooks,
  HookError,
  ResultSummary,
} from "../model/event_hooks.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { Logger } from "../model/log.ts";
import type { ServerState } from "../model/server_state.ts";
import type { ServerView } from "../model/server_view.ts";
import type { CallToolResult, Tool } from "../model/tool.ts";
import { askBeforeConnect } from "./ask_before.ts";
import { BackgroundWork, type HookClock } from "./background_work.ts";
import { CallQuestions } from "./call_questions.ts";
import { isNews, type ToldTools, toolNews } from "./tool_news.ts";

/** Blocks of a result that a hook is told of. */
const MOST_BLOCKS = 100;

/** The hooks of a manager, or what gives those that count at the moment. */
export type GivenHooks = readonly EventHooks[] | (() => readonly EventHooks[]);

/** What {@linkcode AskedHooks} work with. */
export interface AskedHooksOptions {
  /** The hooks. */
  readonly hooks: GivenHooks | undefined;
  /** Root of the workspace. */
  readonly workspacePath: string;
  /** Time. */
  readonly clock: HookClock;
  /** Where failures are written that stop nothing. */
  readonly log: Logger;
}

/** A call of a tool, as hooks are asked about it. */
export type AskedCall = Pick<BeforeCallEvent, "server" | "source" | "tool" | "annotations">;

/** The hooks of a manager: asked before servers start and tools are called, and told of the rest. */
export class AskedHooks {
  readonly #options: AskedHooksOptions;
  readonly #work: BackgroundWork;
  readonly #questions = new CallQuestions();
  /** What each hook was told last, of tools and of servers' states. */
  #told = new WeakMap<EventHooks, { tools: ToldTools; states: Map<string, ServerState> }>();
  /** State and reason of each server, as they were handed on last. */
  readonly #states = new Map<string, string>();
  readonly #ids = new WeakMap<EventHooks, number>();
  #made = 0;

  /** Asks nobody before the first event. */
  constructor(options: AskedHooksOptions) {
    this.#options = options;
    this.#work = new BackgroundWork(options);
  }

  /**
   * Asks whether a server may be started or reached.
   * @param event Made only when somebody is asked.
   * @throws {HotplugError} `blocked-by-hook`, `hook-failed`, `aborted`.
   */
  async beforeConnect(
    event: () => Omit<BeforeConnectEvent, "workspacePath">,
    signal: AbortSignal,
  ): Promise<void> {
    const hooks = this.#current().filter(({ beforeConnect }) => beforeConnect !== undefined);
    if (hooks.length === 0) return;
    const { workspacePath } = this.#options;
    await askBeforeConnect(hooks, { workspacePath, ...event() }, { signal });
  }

  /**
   * Does a call, when no hook stops it, with the arguments that the hooks leave; then tells of it.
   * @throws {HotplugError} `blocked-by-hook`, `hook-failed`, `aborted`, and what the call throws.
   */
  around(
    call: () => AskedCall,
    args: JsonObject,
    signal: AbortSignal | undefined,
    send: (args: JsonObject) => Promise<CallToolResult>,
  ): Promise<CallToolResult> {
    const hooks = this.#current();
    const isAsked = hooks.some(({ beforeCall }) => beforeCall !== undefined);
    const isTold = hooks.some(({ afterCall }) => afterCall !== undefined);
    if (!isAsked && !isTold) return send(args);
    return this.#asking(hooks, isAsked, call, args, signal, send);
  }

  async #asking(
    hooks: readonly EventHooks[],
    isAsked: boolean,
    call: () => AskedCall,
    args: JsonObject,
    signal: AbortSignal | undefined,
    send: (args: JsonObject) => Promise<CallToolResult>,
  ): Promise<CallToolResult> {
    const { workspacePath, clock } = this.#options;
    const begun = clock.ticks();
    const asked = { workspacePath, ...call() };
    const { server, tool } = asked;
    let sent = args;
    const tell = (end: Pick<AfterCallEvent, "result" | "error">): void =>
      this.#tellOfCall(hooks, {
        workspacePath,
        server,
        tool,
        arguments: sent,
        elapsedMs: Math.round(clock.ticks() - begun),
        ...end,
      });
    try {
      if (isAsked) {
        sent = await this.#questions.ask(hooks, { ...asked, arguments: args }, signal);
      }
      const result = await send(sent);
      tell({ result: summaryOf(result), error: null });
      return result;
    } catch (thrown) {
      tell({ result: null, error: hookError(toHotplugError(thrown).toInfo()) });
      throw thrown;
    }
  }

  /** Tells that the tools on offer have changed; `tools` gives them when it comes to that. */
  toolsChanged(tools: () => readonly Tool[]): void {
    const { workspacePath } = this.#options;
    for (const hook of this.#current()) {
      if (hook.toolsChanged === undefined) continue;
      this.#work.add(`tools ${this.#idOf(hook)}`, async (signal) => {
        const memory = this.#memoryOf(hook);
        const { news, told } = toolNews(tools(), memory.tools);
        memory.tools = told;
        if (isNews(news)) await hook.toolsChanged?.({ workspacePath, ...news }, { signal });
      });
    }
  }

  /** Tells of a server's row, when its state or the reason for it is another one. */
  serverState({ name, state, tools, error }: ServerView): void {
    const hooks = this.#current().filter(({ serverState }) => serverState !== undefined);
    if (hooks.length === 0) return;
    const text = JSON.stringify([state, error?.code, error?.message]);
    if (this.#states.get(name) === text) return;
    this.#states.set(name, text);
    const { workspacePath } = this.#options;
    for (const hook of hooks) {
      this.#work.add(`state ${this.#idOf(hook)} ${name}`, async (signal) => {
        const { states } = this.#memoryOf(hook);
        const before = states.get(name) ?? null;
        states.set(name, state);
        await hook.serverState?.({
          workspacePath,
          server: name,
          state,
          before,
          tools,
          error: error === null ? null : hookError(error),
        }, { signal });
      });
    }
  }

  /**
   * Ends the asking about calls, and lets what runs in the background end, at most `ms` and half a
   * second. Never rejects.
   */
  async finished(ms: number): Promise<void> {
    await this.#questions.end();
    await this.#work.finished(ms);
  }

  #tellOfCall(hooks: readonly EventHooks[], event: AfterCallEvent): void {
    for (const hook of hooks) {
      if (hook.afterCall === undefined) continue;
      this.#work.add(null, async (signal) => await hook.afterCall?.(event, { signal }));
    }
  }

  /** What counts now. */
  #current(): readonly EventHooks[] {
    const { hooks = [] } = this.#options;
    return typeof hooks === "function" ? hooks() : hooks;
  }

  #memoryOf(hook: EventHooks): { tools: ToldTools; states: Map<string, ServerState> } {
    const known = this.#told.get(hook) ?? { tools: new Map(), states: new Map() };
    this.#told.set(hook, known);
    return known;
  }

  #idOf(hook: EventHooks): number {
    const id = this.#ids.get(hook) ?? ++this.#made;
    this.#ids.set(hook, id);
    return id;
  }
}

function hookError({ code, message, hint }: ErrorInfo): HookError {
  return { code, message, hint };
}

/** What is told of a result. */
export function summaryOf(
  { isError, content, structuredContent }: CallToolResult,
): ResultSummary {
  return {
    isError,
    content: content.slice(0, MOST_BLOCKS).map((block) => ({
      type: typeof block["type"] === "string" ? block["type"] : "unknown",
      size: sizeOf(block),
    })),
    structured: structuredContent !== undefined,
  };
}

function sizeOf(block: JsonObject): number {
  const { text, data, resource } = block;
  for (const value of [text, data]) if (typeof value === "string") return value.length;
  return isJsonObject(resource) ? sizeOf({ text: resource["text"], data: resource["blob"] }) : 0;
}

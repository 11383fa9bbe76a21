import { unlessAborted } from "../model/abort.ts";
import { HotplugError, toHotplugError } from "../model/errors.ts";
import type { Tool } from "../model/tool.ts";
import { type HostToolsPlan, planHostTools } from "./host_tools_plan.ts";
import { OneAtATime } from "./one_at_a_time.ts";

/** The tools of a host agent, as the host itself keeps them. Every function may be asynchronous. */
export interface HostRegistry<HostTool = Tool> {
  /** Names of all registered tools, the host's own included. */
  getTools(): readonly string[] | Promise<readonly string[]>;
  /** Registers a tool. A name that is registered already is replaced, or was removed before. */
  register(tool: HostTool): void | Promise<void>;
  /** Unregisters a tool. A host that cannot do that leaves it out: tools then are switched off. */
  remove?(name: string): void | Promise<void>;
  /** Names of the tools that the model is told of, in the order in which it is. */
  getActive(): readonly string[] | Promise<readonly string[]>;
  /** Sets which tools the model is told of; all others are switched off. */
  setActive(names: readonly string[]): void | Promise<void>;
}

/** How {@linkcode HostTools} treats a host. */
export interface HostToolsOptions<HostTool = Tool> {
  /** Makes a tool into one of the host's own kind, of the same name. Default: as it is. */
  readonly wrap?: (tool: Tool) => HostTool;
  /**
   * Beginning of the names that belong to MCP: a refresh also removes what an earlier session left
   * there. `null`: only what was registered here is removed, as names of other styles have no
   * common beginning. Default `mcp_`.
   */
  readonly prefix?: string | null;
}

/** What a refresh has led to: public names. */
export interface HostToolsReport {
  /** The tools that are registered now, in their order. */
  readonly registered: readonly string[];
  /** Those of them that the model is told of; the user has switched off the others. */
  readonly active: readonly string[];
  /** Tools that are not registered, as the host has a tool of its own of that name. */
  readonly skipped: readonly string[];
}

/**
 * Keeps the MCP tools in a host's registry: the `refreshMCPTools()` of a host that registers tools
 * and switches them on and off.
 *
 * The host's own tools are never touched. A tool that the user has switched off stays off, also
 * when it is gone for a while; a new one is on.
 *
 * @example
 * ```ts
 * const hostTools = new HostTools(registry, { wrap: (tool) => new AgentTool(tool) });
 * await using session = await createSession({
 *   onRefresh: async ({ tools }) => {
 *     await hostTools.refresh(tools);
 *     return "refreshed";
 *   },
 * });
 * ```
 */
export class HostTools<HostTool = Tool> {
  readonly #registry: HostRegistry<HostTool>;
  readonly #wrap: (tool: Tool) => HostTool;
  readonly #prefix: string | null;
  /** What is offered now, in the host's form; it is what a failed refresh goes back to. */
  #offered: ReadonlyMap<string, HostTool> = new Map();
  #held: ReadonlySet<string> = new Set();
  #deselected: ReadonlySet<string> = new Set();
  #isSure = true;
  #newest: readonly Tool[] = [];
  #waiting: Promise<HostToolsReport> | null = null;
  readonly #queue: OneAtATime = new OneAtATime();

  /** Keeps tools in `registry`; nothing is registered yet. */
  constructor(registry: HostRegistry<HostTool>, options: HostToolsOptions<HostTool> = {}) {
    this.#registry = registry;
    // Without `wrap` the host takes our tools, so its kind of tool is ours.
    this.#wrap = options.wrap ?? ((tool) => tool as HostTool);
    this.#prefix = options.prefix === undefined ? "mcp_" : options.prefix;
  }

  /**
   * Removes every MCP tool, registers these and switches them on. One refresh runs at a time; those
   * that are asked for meanwhile become one, with the newest tools.
   * @param options `signal` ends the waiting; a refresh that has begun is finished all the same.
   * @throws {HotplugError} `hook-failed`, when the host threw; its tools are again as they were.
   * `aborted`.
   */
  refresh(
    tools: readonly Tool[],
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<HostToolsReport> {
    this.#newest = tools;
    this.#waiting ??= this.#queue.run(async () => {
      this.#waiting = null;
      return await this.#exchange(this.#newest);
    });
    return unlessAborted(this.#waiting, signal);
  }

  async #exchange(tools: readonly Tool[]): Promise<HostToolsReport> {
    const done: string[] = [];
    let before: readonly string[] | null = null;
    try {
      const registered = await this.#registry.getTools();
      const active = await this.#registry.getActive();
      const plan = this.#plan(registered, active, tools);
      // All are wrapped before anything changes: what cannot be wrapped costs nothing.
      const fresh = this.#wrapped(plan, tools);
      before = [...active];
      await this.#replace(plan, fresh, done);
      this.#offered = fresh;
      this.#held = new Set(this.#registry.remove === undefined ? [...plan.old, ...done] : done);
      this.#deselected = plan.deselected;
      this.#isSure = true;
      return { registered: plan.fresh, active: plan.active, skipped: plan.skipped };
    } catch (thrown) {
      const isWhole = before === null || await this.#restore(before, done);
      const { message } = toHotplugError(thrown);
      throw new HotplugError("hook-failed", `Cannot refresh the tools of the host: ${message}`, {
        cause: thrown,
        hint: isWhole
          ? "The host goes on with the tools from before"
          : "The host could not take the tools from before either; reload to try again",
      });
    }
  }

  #plan(
    registered: readonly string[],
    active: readonly string[],
    tools: readonly Tool[],
  ): HostToolsPlan {
    return planHostTools({
      registered,
      active,
      offered: new Set(this.#offered.keys()),
      held: this.#held,
      deselected: this.#deselected,
      prefix: this.#prefix,
      isSure: this.#isSure,
    }, tools.map(({ name }) => name));
  }

  #wrapped(plan: HostToolsPlan, tools: readonly Tool[]): ReadonlyMap<string, HostTool> {
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    return new Map(plan.fresh.flatMap((name) => {
      const tool = byName.get(name);
      return tool === undefined ? [] : [[name, this.#wrap(tool)]];
    }));
  }

  /** Exchanges the tools; `done` gets the name of each before it is registered. */
  async #replace(
    plan: HostToolsPlan,
    fresh: ReadonlyMap<string, HostTool>,
    done: string[],
  ): Promise<void> {
    const registry = this.#registry;
    for (const name of plan.old) await registry.remove?.(name);
    for (const [name, tool] of fresh) {
      done.push(name);
      await registry.register(tool);
    }
    // Asked again, as the user may have switched a tool of the host's own in the meantime.
    const ours = new Set([...plan.old, ...plan.fresh]);
    const own = (await registry.getActive()).filter((name) => !ours.has(name));
    await registry.setActive([...own, ...plan.active]);
  }

  /**
   * Puts back what a failed exchange has changed, as far as the host lets it; what an earlier
   * session left there is gone.
   * @returns Whether all is as it was.
   */
  async #restore(active: readonly string[], done: readonly string[]): Promise<boolean> {
    const registry = this.#registry;
    const canRemove = registry.remove !== undefined;
    let isWhole = true;
    const attempt = async <Value>(step: () => Value | Promise<Value>): Promise<Value | null> => {
      try {
        return await step();
      } catch {
        isWhole = false;
        return null;
      }
    };
    const isThere = async (): Promise<(name: string) => boolean> => {
      const names = await attempt(() => registry.getTools());
      return (name) => names?.includes(name) ?? true;
    };
    const failed = await isThere();
    for (const name of done) {
      if (failed(name)) await attempt(() => registry.remove?.(name));
    }
    const emptied = await isThere();
    for (const [name, tool] of this.#offered) {
      const isOverwritten = !canRemove && done.includes(name);
      if (isOverwritten || !emptied(name)) await attempt(() => registry.register(tool));
    }
    await attempt(() => registry.setActive(active));
    this.#held = new Set([...this.#held, ...done].filter(await isThere()));
    this.#isSure = isWhole;
    return isWhole;
  }
}

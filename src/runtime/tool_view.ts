import { toolOffered } from "../definitions/tool_filter.ts";
import type { ServerConfig } from "../model/definition.ts";
import type { ToolInfo } from "../model/listing.ts";
import type { SourceInfo } from "../model/source.ts";
import type { Tool, ToolCaller } from "../model/tool.ts";
import { DeferredMCPTool } from "../tools/deferred_mcp_tool.ts";
import { MCPTool, type ToolOffer } from "../tools/mcp_tool.ts";
import { NameTable, type NamingStyle } from "../tools/public_name.ts";
import type { RenderOptions } from "../tools/render_result.ts";

/** One server's part of the tool view. */
export interface ToolSlice {
  /** The server's definition: its filters and approvals hold here. */
  readonly config: ServerConfig;
  /** Where it is declared, for the tool's path. */
  readonly source: SourceInfo | undefined;
  /** What the server listed, now or the last time. */
  readonly tools: readonly ToolInfo[];
  /** `live`: listed over a connection; `deferred`: known from before, or from the cache. */
  readonly kind: "live" | "deferred";
}

/** Gives what a server's calls go through; it waits for a connection that is on its way. */
export type CallerOf = (server: string) => ToolCaller;

/**
 * The tools that are offered now: one slice a server, in the order of the servers, each in its
 * server's own order. A slice is exchanged whole, so one server never costs another its tools.
 */
export class ToolView {
  readonly #slices = new Map<string, ToolSlice>();
  readonly #names: NameTable;
  readonly #callerOf: CallerOf;
  readonly #render: RenderOptions;
  #order: readonly string[] = [];
  #tools: readonly Tool[] | null = [];

  /** A view without tools. */
  constructor(callerOf: CallerOf, render: RenderOptions, naming: NamingStyle) {
    this.#names = new NameTable({ naming });
    this.#callerOf = callerOf;
    this.#render = render;
  }

  /** Sets the order of the servers; those not named come last. */
  setOrder(servers: readonly string[]): void {
    const isSame = servers.length === this.#order.length &&
      servers.every((name, index) => name === this.#order[index]);
    if (isSame) return;
    this.#order = servers;
    this.#tools = null;
  }

  /** Exchanges a server's tools, and gives the number of those that its filters let through. */
  replace(server: string, slice: ToolSlice): number {
    const tools = slice.tools.filter((tool) => toolOffered(slice.config, tool.name));
    this.#slices.set(server, { ...slice, tools });
    this.#tools = null;
    return tools.length;
  }

  /**
   * Takes a server's tools away; `false` when there was no slice of it. Names that were given keep
   * their meaning.
   */
  remove(server: string): boolean {
    const had = this.#slices.delete(server);
    if (had) this.#tools = null;
    return had;
  }

  /** A server's tool by the server's own name for it. */
  find(server: string, tool: string): ToolInfo | undefined {
    return this.#slices.get(server)?.tools.find(({ name }) => name === tool);
  }

  /** A server's tools as listed; `undefined` when it has no slice. */
  toolsOf(server: string): readonly ToolInfo[] | undefined {
    return this.#slices.get(server)?.tools;
  }

  /** Every tool under its public name. The same array until something changes. */
  all(): readonly Tool[] {
    this.#tools ??= this.#build();
    return this.#tools;
  }

  #build(): readonly Tool[] {
    const rank = new Map(this.#order.map((name, index) => [name, index]));
    const last = this.#order.length;
    const slices = [...this.#slices].sort(([a], [b]) =>
      (rank.get(a) ?? last) - (rank.get(b) ?? last)
    );
    const listed = slices.flatMap(([server, slice]) =>
      slice.tools.map((info) => ({ server, tool: info.name, info, slice }))
    );
    this.#names.assign(listed);
    return listed.flatMap(({ server, tool, info, slice }) => {
      const name = this.#names.nameOf({ server, tool });
      return name === null ? [] : [this.#tool(name, server, info, slice)];
    });
  }

  #tool(name: string, server: string, info: ToolInfo, slice: ToolSlice): Tool {
    const offer: ToolOffer = {
      ...this.#render,
      name,
      server,
      info,
      provider: slice.source?.label ?? null,
      autoApprove: slice.config.autoApprove?.includes(info.name) ?? false,
    };
    const caller = this.#callerOf(server);
    return slice.kind === "live"
      ? new MCPTool(offer, caller)
      : new DeferredMCPTool(offer, () => Promise.resolve(caller));
  }
}

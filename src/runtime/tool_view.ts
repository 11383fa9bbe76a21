import { toolOffered } from "../definitions/tool_filter.ts";
import type { ServerConfig } from "../model/definition.ts";
import type { ToolInfo } from "../model/listing.ts";
import { goesRound } from "../model/session_chain.ts";
import type { SourceInfo } from "../model/source.ts";
import type { HotplugError } from "../model/errors.ts";
import type { Tool, ToolCaller } from "../model/tool.ts";
import { DeferredMCPTool } from "../tools/deferred_mcp_tool.ts";
import { MCPTool, type ToolOffer } from "../tools/mcp_tool.ts";
import { BareNames, type NameVerdict, type StandsBefore } from "../tools/bare_names.ts";
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

/** What became of a server's tools. */
export interface SliceOutcome extends NameVerdict {
  /** Number of those that its filters let through. */
  readonly count: number;
}

/** How the tools get their public names. */
export interface ToolNaming {
  /** The style. */
  readonly style: NamingStyle;
  /** Names of the host's own tools, which no server may offer by its bare name. */
  readonly reserved: readonly string[];
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
  /** Who may offer which name; `null` where names tell of their server. */
  readonly #bare: BareNames | null;
  readonly #callerOf: CallerOf;
  readonly #render: RenderOptions;
  readonly #chain: readonly string[];
  #order: readonly string[] = [];
  #tools: readonly Tool[] | null = [];

  /**
   * A view without tools.
   * @param chain Ids of the sessions around it: what comes through one of them is not offered.
   */
  constructor(
    callerOf: CallerOf,
    render: RenderOptions,
    { style, reserved }: ToolNaming,
    chain: readonly string[] = [],
  ) {
    this.#names = new NameTable({ naming: style });
    this.#bare = style === "bare" ? new BareNames(reserved) : null;
    this.#callerOf = callerOf;
    this.#render = render;
    this.#chain = chain;
  }

  /** Sets the order of the servers; those not named come last. */
  setOrder(servers: readonly string[]): void {
    const isSame = servers.length === this.#order.length &&
      servers.every((name, index) => name === this.#order[index]);
    if (isSame) return;
    this.#order = servers;
    this.#tools = null;
  }

  /**
   * Exchanges a server's tools, unless their names are taken: then nothing changes. Servers that
   * have to give way to it lose theirs.
   */
  replace(server: string, slice: ToolSlice): SliceOutcome {
    const tools = this.#offeredOf(slice);
    const verdict = this.#bare?.claim(server, namesOf(tools), this.#standsBefore) ?? FREE;
    if (verdict.refusal !== null) return { ...verdict, count: 0 };
    for (const other of verdict.evicted.keys()) this.#slices.delete(other);
    this.#slices.set(server, { ...slice, tools });
    this.#tools = null;
    return { ...verdict, count: tools.length };
  }

  /** Why a server's tools cannot be offered, since their names are taken; `null` when they can. */
  refusalOf(server: string, slice: Pick<ToolSlice, "config" | "tools">): HotplugError | null {
    const names = namesOf(this.#offeredOf(slice));
    return this.#bare?.judge(server, names, this.#standsBefore).refusal ?? null;
  }

  /**
   * Begins a go: of the servers that come up until its end, the one that stands first gets a bare
   * name. With `anew`, names that were given before are judged again too.
   * @returns What ends it.
   */
  beginGo({ anew }: { readonly anew: boolean }): () => void {
    const end = this.#bare?.begin() ?? ((): void => {});
    if (anew) {
      this.#bare?.renew(
        new Map([...this.#slices].map(([name, { tools }]) => [name, namesOf(tools)])),
      );
    }
    return end;
  }

  /** Lets others have the bare names of a server that is no more. */
  releaseNames(server: string): void {
    this.#bare?.release(server);
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

  /**
   * The tool that a public name means, or once meant: a tool that has got another name since is
   * found by the old one too. `null` when there is none, or its server offers it no longer.
   */
  named(name: string): Tool | null {
    const offered = this.all().find((tool) => tool.name === name);
    const address = this.#names.lookup(name);
    if (offered !== undefined || address === null) return offered ?? null;
    const slice = this.#slices.get(address.server);
    const info = this.find(address.server, address.tool);
    return slice === undefined || info === undefined
      ? null
      : this.#tool(name, address.server, info, slice);
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

  /** The tools that a definition's filters let through, and that do not go round in circles. */
  #offeredOf({ config, tools }: Pick<ToolSlice, "config" | "tools">): readonly ToolInfo[] {
    return tools.filter(({ name, raw }) =>
      toolOffered(config, name) && !goesRound(raw, this.#chain)
    );
  }

  readonly #standsBefore: StandsBefore = (server, other) =>
    this.#rank(server) - this.#rank(other) < 0;

  #rank(server: string): number {
    const index = this.#order.indexOf(server);
    return index < 0 ? this.#order.length : index;
  }

  #build(): readonly Tool[] {
    const ranks = new Map([...this.#slices.keys()].map((name) => [name, this.#rank(name)]));
    const slices = [...this.#slices].sort(([a], [b]) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
    const listed = slices.flatMap(([server, slice]) =>
      slice.tools.map((info) => ({ server, tool: info.name, info, slice }))
    );
    if (this.#bare === null) this.#names.assign(listed);
    const names = this.#bare ?? this.#names;
    return listed.flatMap(({ server, tool, info, slice }) => {
      const name = names.nameOf({ server, tool });
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

/** What holds where names tell of their server: each may offer whatever it likes. */
const FREE: NameVerdict = { refusal: null, evicted: new Map() };

function namesOf(tools: readonly ToolInfo[]): readonly string[] {
  return tools.map(({ name }) => name);
}

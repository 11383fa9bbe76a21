import type { JsonObject } from "../../model/json.ts";
import type { Catalogue } from "../catalogue.ts";
import { lazyListing } from "./lazy_listing.ts";
import { type FindableTool, ToolIndex } from "./tool_index.ts";

/** What {@linkcode LazyTools} work with. */
export interface LazyToolsOptions {
  /** The tools behind them. */
  readonly catalogue: Pick<Catalogue, "list" | "find">;
  /** What the user says that a server is for; empty when nothing is said. */
  readonly purposeOf: (server: string) => string;
  /** Members of `_meta` that the host wants on every tool. */
  readonly toolMeta: JsonObject | null;
}

/**
 * Three tools that stand for all: one finds tools, one describes a tool, one calls it. A model that
 * has hundreds before it spends its context on their schemas, and chooses worse.
 */
export class LazyTools {
  readonly #options: LazyToolsOptions;
  #items: readonly JsonObject[] | null = null;
  #tools: readonly FindableTool[] = [];
  #index: ToolIndex | null = null;
  /** What hosts were told last of what there is; `null` while no host has asked. */
  #said: string | null = null;

  /** Looks at the tools when it is asked. */
  constructor(options: LazyToolsOptions) {
    this.#options = options;
  }

  /** The items of `tools/list`. */
  list(): readonly JsonObject[] {
    const items = this.#listing();
    this.#said ??= JSON.stringify(items);
    return items;
  }

  /**
   * Whether hosts would be given the same list again; asking counts as telling them when it is
   * another one.
   */
  isAsSaid(): boolean {
    const said = this.#said;
    if (said === null) return true;
    this.#said = JSON.stringify(this.#listing());
    return this.#said === said;
  }

  /** The tools that can be found, in the order of their servers. */
  get tools(): readonly FindableTool[] {
    this.#refresh();
    return this.#tools;
  }

  /** Finds them by words; made when it is needed for the first time. */
  get index(): ToolIndex {
    this.#refresh();
    this.#index ??= new ToolIndex(this.#tools);
    return this.#index;
  }

  /** The tool that a name means, also when it has got another name since; `null` when it is gone. */
  describe(name: string): FindableTool | null {
    const address = this.#options.catalogue.find(name);
    if (address === null) return null;
    const { server, tool } = address;
    return this.tools.find((one) => one.publicName === name) ??
      this.tools.find((one) => one.server === server && one.name === tool) ?? null;
  }

  #listing(): readonly JsonObject[] {
    const { purposeOf, toolMeta } = this.#options;
    const servers = Map.groupBy(this.tools, ({ server }) => server);
    return lazyListing(
      [...servers].map(([name, tools]) => ({
        name,
        purpose: purposeOf(name),
        tools: tools.map((tool) => tool.name),
      })),
      toolMeta,
    );
  }

  #refresh(): void {
    const { catalogue } = this.#options;
    const items = catalogue.list();
    if (items === this.#items) return;
    this.#items = items;
    this.#index = null;
    this.#tools = items.flatMap((listed): FindableTool[] => {
      const publicName = String(listed["name"]);
      const address = catalogue.find(publicName);
      if (address === null) return [];
      return [{ publicName, server: address.server, name: address.tool, listed }];
    });
  }
}

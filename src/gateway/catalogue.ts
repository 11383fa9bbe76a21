import type { JsonObject } from "../model/json.ts";
import type { Logger } from "../model/log.ts";
import type { Tool } from "../model/tool.ts";
import type { ToolAddress } from "../tools/public_name.ts";
import { type OfferPatterns, toolInOffer } from "./offer_filter.ts";
import { offeredTool } from "./offered_tool.ts";

/** What a {@linkcode Catalogue} works with. */
export interface CatalogueOptions {
  /** The tools of the session as they are now: the same array until one of them changes. */
  readonly tools: () => readonly Tool[];
  /** Which of them are on offer. */
  readonly patterns: OfferPatterns;
  /** Members of `_meta` that the host wants on every tool. */
  readonly toolMeta: JsonObject | null;
  /** Where repaired tools are told, once each. */
  readonly log: Logger;
}

/**
 * The tools that a gateway offers, as hosts see them. A name that was once listed keeps its meaning
 * as long as the gateway lives: a host may call it before it has taken a newer list.
 */
export class Catalogue {
  readonly #options: CatalogueOptions;
  readonly #addresses = new Map<string, ToolAddress>();
  readonly #told = new Set<string>();
  #tools: readonly Tool[] | null = null;
  #listed: readonly JsonObject[] = [];

  /** Looks at the tools when it is asked. */
  constructor(options: CatalogueOptions) {
    this.#options = options;
  }

  /** The items of `tools/list`. */
  list(): readonly JsonObject[] {
    this.#refresh();
    return this.#listed;
  }

  /** What a name means, now or in an earlier list; `null` when it was never on offer. */
  find(name: string): ToolAddress | null {
    this.#refresh();
    return this.#addresses.get(name) ?? null;
  }

  #refresh(): void {
    const tools = this.#options.tools();
    if (tools === this.#tools) return;
    this.#tools = tools;
    this.#listed = tools.map((tool) => this.#offer(tool)).filter((tool) => tool !== null);
  }

  #offer(tool: Tool): JsonObject | null {
    const { patterns, toolMeta, log } = this.#options;
    const { server, info, name } = tool;
    if (!toolInOffer(patterns, server, info.name)) return null;
    const { listed, warning } = offeredTool(tool, toolMeta);
    const key = `${server}\0${info.name}\0${warning}`;
    if (warning !== null && !this.#told.has(key)) {
      this.#told.add(key);
      log.log(listed === null ? "warn" : "info", "A tool would be refused by hosts as it is", {
        server,
        tool: info.name,
        done: warning,
      });
    }
    if (listed !== null) this.#addresses.set(name, { server, tool: info.name });
    return listed;
  }
}

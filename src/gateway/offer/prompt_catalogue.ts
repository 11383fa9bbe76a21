import type { JsonObject } from "../../model/json.ts";
import { NameTable, type NamingStyle, type ToolAddress } from "../../tools/public_name.ts";
import type { ListSource, ServerList } from "./list_source.ts";
import { MergedList } from "./merged_list.ts";
import { offeredPrompt } from "./sound_item.ts";

/** A prompt by the names that its own side uses. */
export interface PromptAddress {
  /** The server's name in the plan. */
  readonly server: string;
  /** The server's own name of the prompt. */
  readonly prompt: string;
}

/**
 * The prompts that a gateway offers, named like its tools. A name that was once listed keeps its
 * meaning as long as the gateway lives. Where names tell nothing of their server, prompts that would
 * share one both get the hash: no prompt costs a server its tools.
 */
export class PromptCatalogue {
  readonly #source: ListSource;
  readonly #names: NameTable;
  readonly #list = new MergedList();
  #seen: readonly ServerList[] | null = null;

  /** Looks at the prompts when it is asked. */
  constructor(source: ListSource, naming: NamingStyle) {
    this.#source = source;
    this.#names = new NameTable({ naming });
  }

  /** The list as hosts see it now. */
  list(): MergedList {
    const lists = this.#source.current();
    if (lists === this.#seen) return this.#list;
    this.#seen = lists;
    const prompts = lists.flatMap(({ server, items }) =>
      items.map(({ key, raw }) => ({ server, tool: key, raw }))
    );
    this.#names.assign(prompts);
    this.#list.set(prompts.flatMap(({ raw, ...address }): JsonObject[] => {
      const name = this.#names.nameOf(address);
      return name === null ? [] : [offeredPrompt(address.server, name, raw)];
    }));
    return this.#list;
  }

  /** What a name means, now or in an earlier list; `null` when it was never on offer. */
  find(name: string): PromptAddress | null {
    this.list();
    const address: ToolAddress | null = this.#names.lookup(name);
    return address === null ? null : { server: address.server, prompt: address.tool };
  }
}

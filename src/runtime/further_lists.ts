import { listPrompts, listResources, listResourceTemplates } from "../connection/listing.ts";
import type { MCPServerConnection } from "../model/connection.ts";
import { isAbortError, toHotplugError } from "../model/errors.ts";
import type { ListedItem, Listing, ListKind } from "../model/listing.ts";

/** The lists beside the tools. */
export type FurtherList = Exclude<ListKind, "tools">;

/** Every list beside the tools. */
export const FURTHER_LISTS: readonly FurtherList[] = ["resources", "resourceTemplates", "prompts"];

const READERS: Readonly<Record<FurtherList, typeof listResources>> = {
  resources: listResources,
  resourceTemplates: listResourceTemplates,
  prompts: listPrompts,
};

/** What {@linkcode readFurtherLists} found. */
export interface FurtherLists {
  /** The lists that were read whole. */
  readonly lists: Partial<Record<FurtherList, Listing<ListedItem>>>;
  /** One sentence for each list that could not be read. */
  readonly warnings: readonly string[];
}

/**
 * Reads lists beside the tools, side by side. One that fails costs a warning and nothing else: a
 * server whose tools work is of use without them. Never rejects.
 */
export async function readFurtherLists(
  connection: MCPServerConnection,
  kinds: readonly FurtherList[],
  options: { readonly timeout: number; readonly signal?: AbortSignal | undefined },
): Promise<FurtherLists> {
  const lists: Partial<Record<FurtherList, Listing<ListedItem>>> = {};
  const warnings: string[] = [];
  await Promise.all(kinds.map(async (kind) => {
    try {
      lists[kind] = await READERS[kind](connection, options);
    } catch (error) {
      if (isAbortError(error)) return;
      warnings.push(`${kind} could not be listed: ${toHotplugError(error).message}`);
    }
  }));
  return { lists, warnings };
}

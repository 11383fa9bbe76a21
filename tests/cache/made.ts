import type { CacheEntry } from "../../src/model/cache.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { ListedItem, Listing, ToolInfo } from "../../src/model/listing.ts";
import { EMPTY_ENTRY } from "../../src/cache/entry_update.ts";

/** A tool as its server lists it, with unknown fields. */
export function madeTool(name: string, raw: JsonObject = {}): ToolInfo {
  const inputSchema: JsonObject = { type: "object", properties: { a: { type: "string" } } };
  return {
    name,
    title: null,
    description: `About ${name}`,
    inputSchema,
    outputSchema: null,
    annotations: null,
    raw: { name, description: `About ${name}`, inputSchema, "x-unknown": [1, null], ...raw },
  };
}

/** A resource as its server lists it. */
export function madeItem(key: string): ListedItem {
  return { key, name: "item", description: "", raw: { uri: key, name: "item" } };
}

/** A whole list. */
export function madeListing<Item>(
  items: readonly Item[],
  rest: Partial<Listing<Item>> = {},
): Listing<Item> {
  return { items, warnings: [], ttlMs: null, cacheScope: null, ...rest };
}

/** An entry with two tools, read at 1,000. */
export function madeEntry(parts: Partial<CacheEntry> = {}): CacheEntry {
  return {
    ...EMPTY_ENTRY,
    tools: [madeTool("one"), madeTool("two")],
    server: { name: "srv", version: "1" },
    protocol: { era: "legacy", version: "2025-11-25" },
    readAt: 1000,
    eraAt: 1000,
    ...parts,
  };
}

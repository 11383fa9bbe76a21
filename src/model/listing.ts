import type { JsonObject } from "./json.ts";

/** One tool as its server lists it, kept as received beside the fields that are used. */
export interface ToolInfo {
  /** The server's own name for it; what goes over the wire. */
  readonly name: string;
  /** Title for humans, if any. */
  readonly title: string | null;
  /** Description; empty when the server gave none. */
  readonly description: string;
  /** JSON Schema of the arguments, as received; `{ type: "object", properties: {} }` if none. */
  readonly inputSchema: JsonObject;
  /** JSON Schema of the structured result, as received. */
  readonly outputSchema: JsonObject | null;
  /** Behaviour hints such as `readOnlyHint`. */
  readonly annotations: JsonObject | null;
  /** The item as received, unknown fields included. */
  readonly raw: JsonObject;
}

/** One resource, resource template or prompt, kept as received. */
export interface ListedItem {
  /** Its `uri`, `uriTemplate` or `name`. */
  readonly key: string;
  /** Its `name`; equals `key` for prompts. */
  readonly name: string;
  /** Description; empty when the server gave none. */
  readonly description: string;
  /** The item as received. */
  readonly raw: JsonObject;
}

/** Which of a server's lists. */
export type ListKind = "tools" | "resources" | "resourceTemplates" | "prompts";

/** One whole list, and what was odd about it. */
export interface Listing<Item> {
  /** Every item, in the server's order, without repeats. */
  readonly items: readonly Item[];
  /** Items left out or repaired, endless cursors: one sentence each. */
  readonly warnings: readonly string[];
  /** Milliseconds for which the server calls the list fresh; `null` when it does not say. */
  readonly ttlMs: number | null;
  /** Who may share the list; `null` when the server does not say. */
  readonly cacheScope: "public" | "private" | null;
}

/** What a server says of itself. */
export interface ServerIdentity {
  /** Its `serverInfo.name`; empty when it gave none. */
  readonly name: string;
  /** Its `serverInfo.version`; empty when it gave none. */
  readonly version: string;
}

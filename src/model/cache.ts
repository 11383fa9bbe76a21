import type { ErrorInfo } from "./errors.ts";
import type { ListedItem, ListKind, ServerIdentity, ToolInfo } from "./listing.ts";
import type { ProtocolEra } from "./server_view.ts";

/** When a list was read. */
export interface ListRead {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds for which the server called it fresh; `null` when it did not say. */
  readonly ttlMs: number | null;
}

/** What is remembered of one server between two runs. */
export interface CacheEntry {
  /** Last whole tool list; `null` when none was ever read. */
  readonly tools: readonly ToolInfo[] | null;
  /** Last whole resource list; `null` when none was ever read. */
  readonly resources: readonly ListedItem[] | null;
  /** Last whole list of resource templates; `null` when none was ever read. */
  readonly resourceTemplates: readonly ListedItem[] | null;
  /** Last whole prompt list; `null` when none was ever read. */
  readonly prompts: readonly ListedItem[] | null;
  /** What the server called itself. */
  readonly server: ServerIdentity | null;
  /** The protocol that was agreed on. */
  readonly protocol: { readonly era: ProtocolEra; readonly version: string } | null;
  /** When the tool list was read, in milliseconds since 1970; 0 when never. */
  readonly readAt: number;
  /** When each other list was read; a list without one may be out of date. */
  readonly itemReads: Readonly<Partial<Record<Exclude<ListKind, "tools">, ListRead>>>;
  /** When the era was agreed on, in milliseconds since 1970; 0 when never. */
  readonly eraAt: number;
  /** Milliseconds for which the server called the tool list fresh; `null` when it did not say. */
  readonly ttlMs: number | null;
  /** Who may share the lists; `null` when the server did not say. */
  readonly cacheScope: "public" | "private" | null;
  /** `true` after a change was announced: still shown, to be read again. */
  readonly stale: boolean;
  /** Why and when the last start failed; `null` after a good one. */
  readonly failure: { readonly error: ErrorInfo; readonly at: number } | null;
}

/**
 * Remembers what servers list. Every method is best effort: a corrupt or unreadable entry is a
 * miss, and a failed write rejects without harm.
 */
export interface ToolCache {
  /** The entry of a run fingerprint, or `null`. */
  get(fingerprint: string): Promise<CacheEntry | null>;
  /** Replaces an entry whole. */
  set(fingerprint: string, entry: CacheEntry): Promise<void>;
}

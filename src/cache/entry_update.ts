import type { CacheEntry } from "../model/cache.ts";
import type { ErrorInfo } from "../model/errors.ts";
import type { ListedItem, Listing, ListKind, ServerIdentity, ToolInfo } from "../model/listing.ts";

/** Characters of a failed server's stderr that are kept: its end says why. */
const MAX_STDERR = 4096;

/** What is remembered of a server before anything is known. */
export const EMPTY_ENTRY: CacheEntry = {
  tools: null,
  resources: null,
  resourceTemplates: null,
  prompts: null,
  server: null,
  protocol: null,
  readAt: 0,
  itemReads: {},
  eraAt: 0,
  ttlMs: null,
  cacheScope: null,
  stale: false,
  failure: null,
};

/** What a handshake tells. */
export interface HandshakeFacts {
  /** What the server calls itself. */
  readonly server: ServerIdentity;
  /** The protocol that was agreed on. */
  readonly protocol: NonNullable<CacheEntry["protocol"]>;
  /** When, in milliseconds since 1970. */
  readonly at: number;
}

/**
 * The entry after a handshake. Lists that another version of the server gave are stale, not gone.
 * An earlier failure stands until a whole list was read.
 */
export function afterHandshake(entry: CacheEntry | null, facts: HandshakeFacts): CacheEntry {
  const known = entry ?? EMPTY_ENTRY;
  const { server, protocol, at } = facts;
  const isOther = known.server !== null &&
    (known.server.name !== server.name || known.server.version !== server.version);
  return {
    ...known,
    server,
    protocol,
    eraAt: at,
    stale: known.stale || isOther,
    itemReads: isOther ? {} : known.itemReads,
  };
}

/** The entry after the tool list was read in full: it replaces the old one whole. */
export function afterTools(
  entry: CacheEntry | null,
  listing: Listing<ToolInfo>,
  at: number,
): CacheEntry {
  return {
    ...(entry ?? EMPTY_ENTRY),
    tools: listing.items,
    readAt: at,
    ttlMs: listing.ttlMs,
    cacheScope: listing.cacheScope,
    stale: false,
    failure: null,
  };
}

/** The entry after another list was read in full, at `at`. The tool list and its time stay. */
export function afterItems(
  entry: CacheEntry | null,
  kind: Exclude<ListKind, "tools">,
  listing: Listing<ListedItem>,
  at: number,
): CacheEntry {
  const known = entry ?? EMPTY_ENTRY;
  return {
    ...known,
    [kind]: listing.items,
    itemReads: { ...known.itemReads, [kind]: { at, ttlMs: listing.ttlMs } },
  };
}

/**
 * The entry after a start or a refresh failed: the last good lists stay. The protocol is found out
 * anew the next time, in case it was the reason. [D17]
 */
export function afterFailure(entry: CacheEntry | null, error: ErrorInfo, at: number): CacheEntry {
  const kept = error.stderr === undefined || error.stderr.length <= MAX_STDERR
    ? error
    : { ...error, stderr: error.stderr.slice(-MAX_STDERR) };
  return { ...(entry ?? EMPTY_ENTRY), eraAt: 0, failure: { error: kept, at } };
}

/** The entry after the server announced a change: still shown, to be read again. */
export function afterListChanged(entry: CacheEntry): CacheEntry {
  return { ...entry, stale: true };
}

import type { CacheEntry, ListRead } from "../model/cache.ts";
import type { ListKind } from "../model/listing.ts";

/** How long lists count as fresh when their server does not say: 15 minutes, in milliseconds. */
export const FRESH_MS: number = 15 * 60 * 1000;

/** A server's word is taken for at most a day: while nobody is connected no change is announced. */
const MAX_FRESH_MS = 24 * 60 * 60 * 1000;

/** How long a protocol that was agreed on is used without asking again: 7 days. */
const ERA_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Tells whether the tool list may be shown without asking the server: read within its time to
 * live, nothing announced since, the last start not failed.
 * @param now Milliseconds since 1970.
 */
export function isFresh(entry: CacheEntry, now: number): boolean {
  const end = freshUntil(entry);
  // A time in the future means that the clock was set back: nothing is known then.
  return end !== null && now >= entry.readAt && now < end;
}

/**
 * Until when the tool list counts as fresh, in milliseconds since 1970, that moment excluded;
 * `null` when it does not.
 */
export function freshUntil(entry: CacheEntry): number | null {
  if (entry.tools === null || entry.stale || entry.failure !== null) return null;
  return entry.readAt + freshFor(entry.ttlMs);
}

/**
 * The same for other lists: whether all of them may be shown without asking the server.
 * @param now Milliseconds since 1970.
 */
export function areItemsFresh(
  entry: CacheEntry,
  kinds: readonly Exclude<ListKind, "tools">[],
  now: number,
): boolean {
  if (entry.stale || entry.failure !== null) return false;
  return kinds.every((kind) => {
    const read = entry.itemReads[kind];
    return entry[kind] !== null && read !== undefined && isYoung(read, now);
  });
}

/** Whether a list is within its time to live. */
function isYoung({ at, ttlMs }: ListRead, now: number): boolean {
  const age = now - at;
  // A time in the future means that the clock was set back: nothing is known then.
  return age >= 0 && age < freshFor(ttlMs);
}

/** For how long a list is fresh, by its server's word, in milliseconds. */
function freshFor(ttlMs: number | null): number {
  return Math.min(ttlMs ?? FRESH_MS, MAX_FRESH_MS);
}

/** Age of the tool list in milliseconds; `null` when none was ever read. */
export function listAge(entry: CacheEntry, now: number): number | null {
  return entry.tools === null ? null : Math.max(0, now - entry.readAt);
}

/** The protocol to start with, or `null` when it must be found out (again). */
export function knownProtocol(entry: CacheEntry | null, now: number): CacheEntry["protocol"] {
  if (entry === null) return null;
  const age = now - entry.eraAt;
  return age >= 0 && age < ERA_MS ? entry.protocol : null;
}

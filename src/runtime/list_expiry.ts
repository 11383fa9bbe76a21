import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { Listing, ListKind } from "../model/listing.ts";
import type { Clock } from "./clock.ts";

/**
 * Shortest milliseconds between two reads of a list because its time has passed: a server that
 * calls its lists fresh for a second, or not at all, must not be asked all day.
 */
export const SHORTEST_LIFE_MS = 60_000;

/** Longest that a timer is set for: the runtimes' own limit is a little more. */
const LONGEST_LIFE_MS = 24 * 60 * 60 * 1000;

/** The capability under which each list stands. */
const CAPABILITY: Readonly<Record<ListKind, string>> = {
  tools: "tools",
  resources: "resources",
  resourceTemplates: "resources",
  prompts: "prompts",
};

/**
 * Milliseconds after which a list is to be read again though nobody announced a change; `null` for
 * never: the server said nothing of its time, or it announces its changes.
 */
export function lifeOf(
  kind: ListKind,
  { ttlMs }: Pick<Listing<unknown>, "ttlMs">,
  capabilities: JsonObject,
): number | null {
  if (ttlMs === null || ttlMs <= 0) return null;
  const declared = capabilities[CAPABILITY[kind]];
  if (isJsonObject(declared) && declared["listChanged"] === true) return null;
  return Math.min(Math.max(ttlMs, SHORTEST_LIFE_MS), LONGEST_LIFE_MS);
}

/** Tells when the time of a list that a server gave with it has passed. */
export class ListExpiry {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #onExpired: (kind: ListKind) => void;
  readonly #running = new Map<ListKind, AbortController>();

  /** Nothing runs yet; `signal` ends everything. */
  constructor(clock: Clock, signal: AbortSignal, onExpired: (kind: ListKind) => void) {
    this.#clock = clock;
    this.#signal = signal;
    this.#onExpired = onExpired;
    signal.addEventListener("abort", () => {
      for (const timer of this.#running.values()) timer.abort();
      this.#running.clear();
    }, { once: true });
  }

  /** Counts the time of a list that was just read; `null` for one that does not pass. */
  begin(kind: ListKind, life: number | null): void {
    this.#running.get(kind)?.abort();
    this.#running.delete(kind);
    if (life === null || this.#signal.aborted) return;
    const timer = new AbortController();
    this.#running.set(kind, timer);
    void this.#clock.idle(life, timer.signal).then(() => {
      if (timer.signal.aborted) return;
      this.#running.delete(kind);
      this.#onExpired(kind);
    });
  }
}

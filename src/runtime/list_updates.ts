import type { ListKind } from "../model/listing.ts";
import type { Clock } from "./clock.ts";

/** Milliseconds of quiet after an announcement before its list is read: they come in bursts. */
export const QUIET_MS = 300;

/** Milliseconds after which a list is read though announcements keep coming. */
export const LATEST_MS = 2000;

/** Milliseconds before the next try after each failed one. After the last the old list stays. */
const RETRY_MS: readonly number[] = [1000, 4000, 16_000];

/** Which list each notification is about. */
const ANNOUNCED: ReadonlyMap<string, readonly ListKind[]> = new Map<string, readonly ListKind[]>([
  ["notifications/tools/list_changed", ["tools"]],
  ["notifications/resources/list_changed", ["resources", "resourceTemplates"]],
  ["notifications/prompts/list_changed", ["prompts"]],
]);

/** The lists that a notification says have changed; none for any other notification. */
export function announcedLists(method: string): readonly ListKind[] {
  return ANNOUNCED.get(method) ?? [];
}

/** What {@linkcode ListUpdates} works with. */
export interface ListUpdatesOptions {
  /** Time. */
  readonly clock: Clock;
  /** Ends everything. */
  readonly signal: AbortSignal;
  /** Reads lists anew and puts them in place. What it throws is retried. */
  readonly read: (kinds: ReadonlySet<ListKind>) => Promise<void>;
  /** Told of a failed try. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Reads one server's lists again after it has announced a change: once for a burst, never two
 * reads at a time. A change that is announced during a read causes another one, so that an older
 * answer never counts as the last word. A failed read leaves the old list and is tried again.
 */
export class ListUpdates {
  readonly #options: ListUpdatesOptions;
  #announced = new Set<ListKind>();
  /** When the last announcement came. */
  #lastAt = 0;
  #running = false;

  /** Nothing is announced yet. */
  constructor(options: ListUpdatesOptions) {
    this.#options = options;
  }

  /** Notes that lists have changed. */
  announce(kinds: readonly ListKind[]): void {
    if (kinds.length === 0) return;
    for (const kind of kinds) this.#announced.add(kind);
    this.#lastAt = this.#options.clock.ticks();
    if (!this.#running) void this.#run();
  }

  async #run(): Promise<void> {
    this.#running = true;
    const { clock, signal, read, onFailure } = this.#options;
    let failures = 0;
    while (this.#announced.size > 0 && !signal.aborted) {
      await this.#quiet();
      if (signal.aborted) break;
      const kinds = this.#announced;
      this.#announced = new Set();
      try {
        await read(kinds);
        failures = 0;
      } catch (error) {
        if (signal.aborted) break;
        onFailure(error);
        const pause = RETRY_MS[failures++];
        if (pause === undefined) break;
        for (const kind of kinds) this.#announced.add(kind);
        await clock.delay(pause, signal);
      }
    }
    this.#running = false;
  }

  /** Waits until announcements pause, at most {@linkcode LATEST_MS}. */
  async #quiet(): Promise<void> {
    const { clock, signal } = this.#options;
    const latest = clock.ticks() + LATEST_MS;
    const left = (): number => Math.min(this.#lastAt + QUIET_MS, latest) - clock.ticks();
    for (let wait = left(); wait > 0 && !signal.aborted; wait = left()) {
      await clock.delay(wait, signal);
    }
  }
}

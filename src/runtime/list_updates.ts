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
  /** Who waits for a read that begins from now on. */
  #waiting: PromiseWithResolvers<void>[] = [];
  /** Fires when somebody does. */
  #hurry = new AbortController();

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

  /**
   * Reads lists anew without a pause: after the read that is under way, if any, since that may have
   * been answered already. Resolves when they are in place, or when all has ended.
   * @throws What the reading fails with; it is tried again all the same.
   */
  async readNow(kinds: readonly ListKind[]): Promise<void> {
    if (kinds.length === 0 || this.#options.signal.aborted) return;
    for (const kind of kinds) this.#announced.add(kind);
    const waiting = Promise.withResolvers<void>();
    this.#waiting.push(waiting);
    this.#hurry.abort();
    if (!this.#running) void this.#run();
    await waiting.promise;
  }

  async #run(): Promise<void> {
    this.#running = true;
    const { signal, read, onFailure } = this.#options;
    let failures = 0;
    while (this.#announced.size > 0 && !signal.aborted) {
      await this.#quiet();
      if (signal.aborted) break;
      const kinds = this.#announced;
      const waiting = this.#waiting;
      this.#announced = new Set();
      this.#waiting = [];
      if (waiting.length > 0) this.#hurry = new AbortController();
      try {
        await read(kinds);
        failures = 0;
        for (const { resolve } of waiting) resolve();
      } catch (error) {
        for (const { resolve, reject } of waiting) signal.aborted ? resolve() : reject(error);
        if (signal.aborted) break;
        onFailure(error);
        const pause = RETRY_MS[failures++];
        if (pause === undefined && this.#waiting.length === 0) break;
        for (const kind of kinds) this.#announced.add(kind);
        await this.#delay(pause ?? 0);
      }
    }
    this.#running = false;
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }

  /** Waits until announcements pause, at most {@linkcode LATEST_MS}, or somebody is in a hurry. */
  async #quiet(): Promise<void> {
    const { clock, signal } = this.#options;
    const latest = clock.ticks() + LATEST_MS;
    const left = (): number => Math.min(this.#lastAt + QUIET_MS, latest) - clock.ticks();
    for (let wait = left(); wait > 0 && !signal.aborted; wait = left()) {
      if (this.#hurry.signal.aborted) return;
      await this.#delay(wait);
    }
  }

  async #delay(ms: number): Promise<void> {
    const { clock, signal } = this.#options;
    await clock.delay(ms, AbortSignal.any([signal, this.#hurry.signal]));
  }
}

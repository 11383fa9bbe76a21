import { toHotplugError } from "../model/errors.ts";
import type { Logger } from "../model/log.ts";
import type { RefreshOutcome, ToolSet } from "../model/tool_set.ts";
import type { Clock } from "../runtime/clock.ts";
import type { SessionOptions } from "./session_options.ts";
import { toolSetDiff } from "./tool_set_diff.ts";

/** Milliseconds that whoever reports a refresh waits for the host. */
export const HOST_LIMIT_MS = 10_000;

/** What a {@linkcode HostRefresh} works with. */
export interface HostRefreshOptions {
  /** The tool set as it is now. */
  readonly current: () => ToolSet;
  /** Tells the host. Absent: nobody listens. */
  readonly onRefresh: SessionOptions["onRefresh"];
  /** Time. */
  readonly clock: Clock;
  /** Where failures of the host are written. */
  readonly log: Logger;
}

/**
 * Tells the host of each new tool set, one time after the other: what changes while it is being
 * told is told in one go afterwards.
 */
export class HostRefresh {
  readonly #options: HostRefreshOptions;
  /** The set that the host was told of last. */
  #told: ToolSet;
  #outcome: RefreshOutcome = "refreshed";
  #running: Promise<void> | null = null;

  /** The host knows the set as it is now. */
  constructor(options: HostRefreshOptions) {
    this.#options = options;
    this.#told = options.current();
  }

  /** Takes the set as it is now for one that the host knows: it is given to it in another way. */
  adopt(): void {
    this.#told = this.#options.current();
  }

  /** Tells the host, if there is something to tell. Never throws. */
  start(): void {
    if (this.#options.onRefresh === undefined) return this.adopt();
    this.#running ??= this.#run();
  }

  /**
   * Waits until the host knows the set as it is now.
   * @param generation The generation that it knew before; `null` when the set is still that one.
   */
  async outcome(generation: number): Promise<RefreshOutcome | null> {
    const { clock, current, onRefresh } = this.#options;
    if (onRefresh === undefined || current().generation === generation) return null;
    const waited = new AbortController();
    const late = clock.idle(HOST_LIMIT_MS, waited.signal).then(() => "announced" as const);
    const outcome = await Promise.race([this.#settled(), late]);
    waited.abort();
    return outcome;
  }

  async #settled(): Promise<RefreshOutcome> {
    await this.#running;
    return this.#outcome;
  }

  async #run(): Promise<void> {
    const { current, onRefresh, log } = this.#options;
    // Whoever changes the set is done first.
    await Promise.resolve();
    while (current().generation !== this.#told.generation) {
      const toolSet = current();
      const diff = toolSetDiff(this.#told.tools, toolSet.tools);
      this.#told = toolSet;
      try {
        this.#outcome = await onRefresh?.(toolSet, diff) ?? "refreshed";
      } catch (thrown) {
        this.#outcome = "failed";
        log.log("error", "The host could not take the refreshed tools", {
          cause: toHotplugError(thrown).message,
        });
      }
    }
    this.#running = null;
  }
}

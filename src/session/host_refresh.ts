import { throwIfAborted, toHotplugError } from "../model/errors.ts";
import type { Logger } from "../model/log.ts";
import type { RefreshOutcome, ToolSet } from "../model/tool_set.ts";
import type { Clock } from "../runtime/clock.ts";
import { OneAtATime } from "./one_at_a_time.ts";
import type { SessionOptions } from "./session_options.ts";
import { toolSetDiff } from "./tool_set_diff.ts";

/** Milliseconds that whoever reports a refresh waits for the host; less than whoever asks waits. */
export const HOST_LIMIT_MS = 8_000;

/** What a {@linkcode HostRefresh} works with. */
export interface HostRefreshOptions extends Pick<SessionOptions, "hostTools" | "onRefresh"> {
  /** The tool set as it is now. */
  readonly current: () => ToolSet;
  /** Time. */
  readonly clock: Clock;
  /** Where failures of the host are written. */
  readonly log: Logger;
  /** Fires when the session ends. */
  readonly ended: AbortSignal;
}

/**
 * Tells the host of each new tool set, one time after the other: what changes while it is being
 * told is told in one go afterwards.
 */
export class HostRefresh {
  readonly #options: HostRefreshOptions;
  readonly #queue = new OneAtATime();
  /** The set that the host was told of last. */
  #told: ToolSet;
  #outcome: RefreshOutcome = "refreshed";
  #running: Promise<void> | null = null;

  /** The host knows the set as it is now. */
  constructor(options: HostRefreshOptions) {
    this.#options = options;
    this.#told = options.current();
  }

  /**
   * Gives the host its first tools: who keeps them is told, and everybody else has the session.
   * Never rejects.
   */
  async begin(): Promise<void> {
    this.#told = this.#options.current();
    await this.now().catch((thrown) => this.#failed(thrown));
  }

  /** Has the host's tools exchanged, whether something has changed or not. */
  async now(signal?: AbortSignal): Promise<void> {
    const { hostTools, current, ended } = this.#options;
    throwIfAborted(ended);
    await this.#queue.run(async () => await hostTools?.refresh(current().tools, { signal }));
  }

  /** Tells the host, if there is something to tell. Never throws. */
  start(): void {
    this.#running ??= this.#run();
  }

  /**
   * Waits until the host knows the set as it is now.
   * @param generation The generation that it knew before.
   * @returns `null` when the set is still that one, or nobody is told.
   */
  async outcome(generation: number): Promise<RefreshOutcome | null> {
    const { clock, current, hostTools, onRefresh } = this.#options;
    const isTold = hostTools !== undefined || onRefresh !== undefined;
    if (!isTold || current().generation === generation) return null;
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
    const { current, ended } = this.#options;
    // Whoever changes the set is done first.
    await Promise.resolve();
    while (current().generation !== this.#told.generation && !ended.aborted) {
      const before = this.#told;
      this.#told = current();
      await this.#queue.run(() => this.#tell(before, this.#told));
    }
    this.#running = null;
  }

  async #tell(before: ToolSet, toolSet: ToolSet): Promise<void> {
    const { hostTools, onRefresh } = this.#options;
    try {
      await hostTools?.refresh(toolSet.tools, {});
      const diff = toolSetDiff(before.tools, toolSet.tools);
      this.#outcome = await onRefresh?.(toolSet, diff) ?? "refreshed";
    } catch (thrown) {
      this.#failed(thrown);
    }
  }

  #failed(thrown: unknown): void {
    this.#outcome = "failed";
    this.#options.log.log("error", "The host could not take the refreshed tools", {
      cause: toHotplugError(thrown).message,
    });
  }
}

import { unlessAborted } from "../model/abort.ts";
import { HotplugError, toHotplugError } from "../model/errors.ts";
import type { Logger } from "../model/log.ts";
import type { RefreshOutcome, ToolSet } from "../model/tool_set.ts";
import type { Clock } from "../runtime/clock.ts";
import { OneAtATime } from "./one_at_a_time.ts";
import type { SessionOptions } from "./session_options.ts";
import { toolSetDiff } from "./tool_set_diff.ts";

/**
 * Milliseconds that the host gets for each refresh, and that whoever reports one waits for it: less
 * than whoever asks a session over its socket waits.
 */
export const HOST_LIMIT_MS = 8_000;

/** What a host answers that has not taken the tools; any other answer says that it has. */
const OTHER_OUTCOMES: readonly RefreshOutcome[] = ["announced", "ignored", "failed"];

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
 * told is told in one go afterwards. A host that does not answer is waited for no longer than
 * {@linkcode HOST_LIMIT_MS}, so that it hears of later sets all the same.
 */
export class HostRefresh {
  readonly #options: HostRefreshOptions;
  readonly #queue = new OneAtATime();
  /** The set that the host took last: what it is told differs from this. */
  #taken: ToolSet;
  /** Generation of the set that it was told of last; `null`: it is to be told in any case. */
  #told: number | null;
  #outcome: RefreshOutcome = "refreshed";
  #running: Promise<void> | null = null;

  /** The host knows the set as it is now. */
  constructor(options: HostRefreshOptions) {
    this.#options = options;
    this.#taken = options.current();
    this.#told = this.#taken.generation;
  }

  /**
   * Gives the host its first tools: who keeps them is told, and everybody else has the session.
   * Never rejects.
   */
  async begin(): Promise<void> {
    const { current, hostTools } = this.#options;
    this.#taken = current();
    this.#told = this.#taken.generation;
    this.#outcome = await this.#queue.run(() =>
      this.#attempt((signal) => hostTools?.refresh(current().tools, { signal }))
    );
  }

  /**
   * Has the host's tools exchanged, whether something has changed or not.
   * @throws {HotplugError} what the host throws; `hook-failed` when it takes too long; `aborted`.
   */
  async now(asked?: AbortSignal): Promise<void> {
    const { hostTools, current, ended } = this.#options;
    const signal = AbortSignal.any(asked === undefined ? [ended] : [ended, asked]);
    const done = this.#queue.run(() =>
      this.#inTime((over) => hostTools?.refresh(current().tools, { signal: over }), signal)
    );
    await unlessAborted(done, signal);
  }

  /** Tells the host, if there is something to tell. Never throws. */
  start(): void {
    this.#running ??= this.#run();
  }

  /**
   * Waits until the host knows the set as it is now. What it could not take the last time is told
   * once more.
   * @param generation The generation that it knew before.
   * @returns `null` when the set is still that one, or nobody is told.
   */
  async outcome(generation: number): Promise<RefreshOutcome | null> {
    const { clock, current, ended, hostTools, onRefresh } = this.#options;
    const isTold = hostTools !== undefined || onRefresh !== undefined;
    const isSame = current().generation === generation;
    if (!isTold || (isSame && this.#outcome !== "failed")) return null;
    if (isSame && this.#running === null) {
      this.#told = null;
      this.start();
    }
    const waited = new AbortController();
    const signal = AbortSignal.any([waited.signal, ended]);
    // One that still thinks about an older set has not been told of this one.
    const late = clock.idle(HOST_LIMIT_MS, signal).then(() =>
      this.#told === current().generation ? "announced" : "failed"
    );
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
    while (current().generation !== this.#told && !ended.aborted) {
      await this.#queue.run(() => this.#tell(current()));
    }
    this.#running = null;
  }

  async #tell(toolSet: ToolSet): Promise<void> {
    const { hostTools, onRefresh } = this.#options;
    this.#told = toolSet.generation;
    const kept = await this.#attempt((signal) => hostTools?.refresh(toolSet.tools, { signal }));
    const diff = toolSetDiff(this.#taken.tools, toolSet.tools);
    const told = await this.#attempt(() => onRefresh?.(toolSet, diff));
    if (told !== "failed") this.#taken = toolSet;
    this.#outcome = kept === "refreshed" || told === "failed" ? told : kept;
  }

  /** Asks something of the host and says what it made of it. Never rejects. */
  async #attempt(ask: (signal: AbortSignal) => unknown): Promise<RefreshOutcome> {
    const { ended, log } = this.#options;
    try {
      const answer = await this.#inTime(ask, ended);
      return OTHER_OUTCOMES.find((outcome) => outcome === answer) ?? "refreshed";
    } catch (thrown) {
      const { message } = toHotplugError(thrown);
      if (!ended.aborted) {
        log.log("error", "The host could not take the refreshed tools", { cause: message });
      }
      return thrown instanceof HostSilence ? "announced" : "failed";
    }
  }

  /** What the host answers, as long as that does not take too long. */
  async #inTime(
    ask: (signal: AbortSignal) => unknown,
    signal: AbortSignal,
  ): Promise<unknown> {
    const done = new AbortController();
    const over = AbortSignal.any([done.signal, signal]);
    const late = this.#options.clock.idle(HOST_LIMIT_MS, over).then((): never => {
      throw new HostSilence();
    });
    try {
      return await unlessAborted(Promise.race([(async () => await ask(over))(), late]), signal);
    } finally {
      done.abort();
    }
  }
}

/** The host does not answer. */
class HostSilence extends HotplugError {
  constructor() {
    super("hook-failed", `The host does not answer within ${HOST_LIMIT_MS / 1000} s`);
  }
}

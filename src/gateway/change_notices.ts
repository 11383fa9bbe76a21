import type { HostProfile } from "../model/host_profile.ts";
import type { RefreshOutcome, ToolSet } from "../model/tool_set.ts";
import type { Clock } from "../runtime/clock.ts";
import { ListNotice, type ListNoticeOptions } from "./list_notice.ts";

/** Milliseconds within which a host that asks at once has asked again. */
const ASKED_MS = 1_000;

/** Milliseconds that a host takes from the list's answer to its model's next request. */
const GRACE_MS = 50;

/** Milliseconds between two looks whether the tool set is another one again. */
const LOOK_MS = 200;

/** What {@linkcode ChangeNotices} work with. */
export interface ChangeNoticesOptions extends ListNoticeOptions {
  /** Whether it is waited for the host to ask again: over this conversation, and holding up nobody. */
  readonly isWaitedFor: boolean;
  /** What the host does with that; `null` when its kind is not known. */
  readonly profile: HostProfile | null;
  /** Time. */
  readonly clock: Clock;
  /** Fires when the host is gone. */
  readonly ended: AbortSignal;
}

/**
 * Tells one host of new tool sets, and finds out what it makes of them: a host that asks again for
 * the list has taken it.
 */
export class ChangeNotices {
  readonly #options: ChangeNoticesOptions;
  readonly #notice: ListNotice;
  /** Generation of the list that the host was given last. */
  #listed = 0;
  #onListed = (): void => {};

  /** Nothing has changed yet. */
  constructor(options: ChangeNoticesOptions) {
    this.#options = options;
    this.#notice = new ListNotice(options);
  }

  /** Notes that the host may be told from now on, and tells it what it is owed. */
  ready(): void {
    this.#notice.ready();
  }

  /** Notes that the host was given the list of this generation. */
  listed(generation: number): void {
    this.#listed = generation;
    this.#onListed();
  }

  /**
   * Tells the host of a new tool set. Never rejects.
   * @param isLast Whether there is no newer one, which the host would be told of too late. Default:
   * there is none.
   */
  async refresh(
    { generation }: ToolSet,
    isLast: () => boolean = () => true,
  ): Promise<RefreshOutcome> {
    const { tell, isWaitedFor, profile, clock, ended } = this.#options;
    if (!this.#notice.changed() || !isWaitedFor) return "announced";
    if (profile !== null && profile.asksAgain === "next-request") return "announced";
    // A host that was still taking its first list may have missed the notice: it hears it once more.
    const isSure = profile?.refreshes === false;
    for (const again of isSure ? [false] : [true, false]) {
      if (await this.#hasAsked(generation, isLast)) {
        await clock.idle(GRACE_MS, ended);
        return "refreshed";
      }
      if (ended.aborted) break;
      if (!isLast()) return "announced";
      if (again) tell();
    }
    return isSure ? "ignored" : "announced";
  }

  /** Whether the host takes this generation within a second, or before the next. Never rejects. */
  async #hasAsked(generation: number, isLast: () => boolean): Promise<boolean> {
    const { clock, ended } = this.#options;
    const asked = new Promise<boolean>((resolve) => {
      this.#onListed = (): void => {
        if (this.#listed >= generation) resolve(true);
      };
      this.#onListed();
    });
    const waited = new AbortController();
    const over = AbortSignal.any([ended, waited.signal]);
    const late = clock.idle(ASKED_MS, over);
    const replaced = this.#replaced(isLast, over);
    const hasAsked = await Promise.race([asked, Promise.race([late, replaced]).then(() => false)]);
    waited.abort();
    this.#onListed = (): void => {};
    return hasAsked;
  }

  /** Resolves when the tool set is another one, or it does not matter any more. Never rejects. */
  async #replaced(isLast: () => boolean, over: AbortSignal): Promise<void> {
    while (!over.aborted && isLast()) await this.#options.clock.idle(LOOK_MS, over);
  }
}

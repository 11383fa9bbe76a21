import type { ListKind } from "../model/listing.ts";
import type { ServerView } from "../model/server_view.ts";
import type { ToolSet } from "../model/tool_set.ts";
import type { Clock } from "../runtime/clock.ts";
import { couldNotList } from "../runtime/further_lists.ts";

/**
 * Milliseconds, from its start, that a gateway's list waits for servers never seen before, for a host
 * that asks for it only once.
 */
export const ONCE_MS = 10_000;

/**
 * The same for a host that is told of what comes later: its first request should have the tools of
 * servers that were just added, and most hosts wait for a list that is slow.
 */
export const TOLD_MS = 3_000;

/** Milliseconds between two looks whether tools that are known are on offer. */
const LOOK_MS = 20;

/**
 * Whether a server is on its way for the first time, and nothing is known of its list. Pure.
 * @param failedBefore Whether its last start had failed: one that has never listed anything, and may
 * hang each time, holds nobody up again.
 */
export function isUnseen(
  view: ServerView,
  kind: ListKind = "tools",
  failedBefore: boolean = false,
): boolean {
  const { state, tools, warnings } = view;
  const isNew = state === "connecting" && tools === null && !failedBefore;
  if (kind === "tools") return isNew;
  // Resources and their templates are read at the same time.
  const count = kind === "prompts" ? view.prompts : view.resources;
  if (count !== null || couldNotList(warnings, kind)) return false;
  return isNew || state === "connected" || (state === "connecting" && tools !== null);
}

/** What a gateway's session has. */
export interface SeenSession {
  /** The row of every server. */
  servers(): readonly ServerView[];
  /** Whether a server's last start had failed, in an earlier session. */
  hasFailedBefore(server: string): boolean;
  /** The tools on offer: while a reload is under way, not yet those of a server that has just come. */
  readonly toolSet: ToolSet;
}

/**
 * Waits for servers of which nothing is known yet: hosts get their tools late rather than never, or
 * than after their first request. Bounded from the start of the gateway, so that a server that hangs
 * holds only the first list up.
 */
export class UnseenServers {
  readonly #session: () => SeenSession | null;
  readonly #clock: Clock;
  readonly #latest: number;
  #wake = (): void => {};
  #changed: Promise<void>;

  /** The time begins to run. */
  constructor(session: () => SeenSession | null, clock: Clock, limitMs: number) {
    this.#session = session;
    this.#clock = clock;
    this.#latest = clock.ticks() + limitMs;
    this.#changed = new Promise((resolve) => this.#wake = resolve);
  }

  /** Notes that the row of a server has changed. */
  changed(): void {
    this.#wake();
    this.#changed = new Promise((resolve) => this.#wake = resolve);
  }

  /** Resolves when there is none any more, the time is over, or the signal aborts. Never rejects. */
  async seen(signal: AbortSignal, kind: ListKind = "tools"): Promise<void> {
    while (!signal.aborted) {
      const session = this.#session();
      const isUnknown = session?.servers().some((view) =>
        isUnseen(view, kind, session.hasFailedBefore(view.name))
      ) ?? false;
      const left = this.#latest - this.#clock.ticks();
      const isHeldBack = kind === "tools" && this.#isHeldBack();
      if (left <= 0 || !(isUnknown || isHeldBack)) {
        return;
      }
      const waited = new AbortController();
      const over = AbortSignal.any([signal, waited.signal]);
      const wait = isUnknown ? left : Math.min(left, LOOK_MS);
      await Promise.race([this.#changed, this.#clock.delay(wait, over)]);
      waited.abort();
    }
  }

  /** Whether tools of a server are known and not on offer yet. */
  #isHeldBack(): boolean {
    const session = this.#session();
    if (session === null) return false;
    const offering = new Set(session.toolSet.tools.map(({ server }) => server));
    return session.servers().some(({ name, state, tools }) =>
      state === "connected" && (tools ?? 0) > 0 && !offering.has(name)
    );
  }
}

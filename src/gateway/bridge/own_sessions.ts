import { canonicalJson } from "../../definitions/canonical_json.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Logger } from "../../model/log.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { NamingStyle } from "../../tools/public_name.ts";
import type { GatewaySession, HostOpening } from "../gateway_session.ts";
import type { Host } from "../host.ts";
import type { WatchedOffer } from "../offer.ts";
import { mergedSession } from "./merged_session.ts";
import type { OpenedSession } from "./opened_session.ts";

/** Sessions that hosts have of their own at one time. Each has a process of every such server. */
export const MOST_SESSIONS = 32;

/** Milliseconds that one lasts which nobody uses, of a host that does not say when it goes. */
export const IDLE_MS = 600_000;

/** What {@linkcode OwnSessions} work with. */
export interface OwnSessionsOptions {
  /** Opens the session that the hosts of a key have of their own. */
  readonly open: (key: string, opening: HostOpening, signal: AbortSignal) => OpenedSession;
  /** What is on offer for the hosts of a key, of what they share and of their own. */
  readonly offer: (
    session: GatewaySession,
    own: OpenedSession,
    key: string,
    ended: AbortSignal,
  ) => WatchedOffer;
  /** Told of a session that is open. */
  readonly onOpened: (session: GatewaySession) => void;
  /** Told of a session that is no more. */
  readonly onClosed: (session: GatewaySession) => void;
  /** Whether a host of a key is there now. */
  readonly isThere: (key: string) => boolean;
  /** How tools are named. */
  readonly naming: NamingStyle;
  /** Time. */
  readonly clock: Clock;
  /** Where oddities are written. */
  readonly log: Logger;
}

/** The session that one host has of its own. */
interface OwnSession {
  /** The key of its hosts. */
  readonly key: string;
  /** Whether it ends with its host, and not by itself. */
  readonly endsWithHost: boolean;
  readonly opened: OpenedSession;
  /** What is on offer, once it is open. */
  readonly opening: Promise<WatchedOffer>;
  /** The same; `null` until then. */
  offer: WatchedOffer | null;
  readonly over: AbortController;
  /** When it was used last, in ticks. */
  usedAt: number;
}

/**
 * The sessions with the servers that are not shared, one for each host: of a host of the legacy era
 * until it goes, of the modern one, which never says so, until it has not come for a while. There,
 * requests that declare other capabilities have another: a server is told of them only once.
 */
export class OwnSessions {
  readonly #options: OwnSessionsOptions;
  readonly #sessions = new Map<string, OwnSession>();
  readonly #ending = new Set<Promise<void>>();
  #isClosed = false;
  #hasWarned = false;

  /** None is open. */
  constructor(options: OwnSessionsOptions) {
    this.#options = options;
  }

  /** How many are open. */
  get size(): number {
    return this.#sessions.size;
  }

  /**
   * What is on offer for a host: what is shared, and what it has of its own, which is opened for its
   * first request. What is shared alone when there is nothing else, or no room. Never rejects.
   */
  async of(host: Host, opening: HostOpening, shared: WatchedOffer): Promise<WatchedOffer> {
    if (this.#isClosed || shared.offer.session.ownServers().length === 0) return shared;
    const id = sessionId(host, opening.capabilities);
    const known = this.#sessions.get(id);
    if (known === undefined && !this.#hasRoom()) return shared;
    const own = known ?? this.#open(id, host, opening, shared);
    own.usedAt = this.#options.clock.ticks();
    return await own.opening;
  }

  /** What is on offer for the hosts of a key that have something of their own; for all, `null`. */
  offers(key: string | null): readonly WatchedOffer[] {
    return [...this.#sessions.values()].flatMap((own) =>
      own.offer === null || (key !== null && own.key !== key) ? [] : [own.offer]
    );
  }

  /** Tells the servers of a host's own session that its roots have changed. */
  rootsChanged({ key }: Host): void {
    for (const own of this.#sessions.values()) {
      if (own.key === key) own.opened.bridge.rootsChanged();
    }
  }

  /** Notes that a host has gone: what was its own alone is ended. */
  left({ key }: Host): void {
    for (const [id, own] of this.#sessions) {
      if (own.key === key && own.endsWithHost) this.#end(id, own);
    }
  }

  /** Ends all. Bounded, idempotent, never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const [id, own] of this.#sessions) this.#end(id, own);
    await Promise.all(this.#ending);
  }

  #open(id: string, host: Host, opening: HostOpening, shared: WatchedOffer): OwnSession {
    const { open, offer, onOpened, naming, clock } = this.#options;
    const { key } = host;
    const over = new AbortController();
    const opened = open(key, opening, over.signal);
    const own: OwnSession = {
      key,
      endsWithHost: host.opening !== null,
      opened,
      opening: opened.opened.then((session) => {
        const merged = mergedSession(shared.offer.session, session, naming);
        own.offer = offer(merged, opened, key, over.signal);
        if (!over.signal.aborted) onOpened(session);
        return own.offer;
      }),
      offer: null,
      over,
      usedAt: clock.ticks(),
    };
    this.#sessions.set(id, own);
    if (!own.endsWithHost) void this.#endWhenIdle(id, own);
    return own;
  }

  /** Makes room by ending the one that was not used for the longest time. */
  #hasRoom(): boolean {
    if (this.#sessions.size < MOST_SESSIONS) return true;
    const [first] = [...this.#sessions].filter(([, own]) => this.#isIdle(own))
      .sort(([, a], [, b]) => a.usedAt - b.usedAt);
    if (first !== undefined) {
      this.#end(...first);
      return true;
    }
    if (!this.#hasWarned) {
      this.#options.log.log("warn", "A host gets no servers of its own: too many hosts have some", {
        most: MOST_SESSIONS,
      });
    }
    this.#hasWarned = true;
    return false;
  }

  async #endWhenIdle(id: string, own: OwnSession): Promise<void> {
    const { clock } = this.#options;
    const { signal } = own.over;
    while (!signal.aborted) {
      const left = own.usedAt + IDLE_MS - clock.ticks();
      if (left > 0) await clock.idle(left, signal);
      else if (this.#isIdle(own)) return this.#end(id, own);
      else own.usedAt = clock.ticks();
    }
  }

  /** Whether nobody uses one now who would miss it. */
  #isIdle({ key, endsWithHost, opened }: OwnSession): boolean {
    return !endsWithHost && !this.#options.isThere(key) && opened.bridge.calls.isIdle;
  }

  #end(id: string, own: OwnSession): void {
    this.#sessions.delete(id);
    own.over.abort();
    const { session } = own.opened;
    if (session !== null) this.#options.onClosed(session);
    const ending = own.opened.close().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }
}

/** Names the session that a request of a host goes to. */
function sessionId(host: Host, capabilities: JsonObject): string {
  return host.opening === null ? `${host.key}\0${canonicalJson(capabilities)}` : host.key;
}

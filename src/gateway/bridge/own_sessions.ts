import { canonicalJson } from "../../definitions/canonical_json.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Logger } from "../../model/log.ts";
import type { ServerView } from "../../model/server_view.ts";
import type { RefreshOutcome } from "../../model/tool_set.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { NamingStyle } from "../../tools/public_name.ts";
import type { GatewaySession, HostOpening } from "../gateway_session.ts";
import type { Host } from "../host.ts";
import type { Offer } from "../offer.ts";
import { mergedSession } from "./merged_session.ts";
import type { OpenedSession, OpenedSessionOptions } from "./opened_session.ts";

/** Sessions that hosts have of their own at one time. Each has a process of every such server. */
export const MOST_SESSIONS = 32;

/** Those of one host that declares now this and now that. */
export const MOST_OF_ONE = 4;

/** Milliseconds that one lasts which nobody uses, of a host that does not say when it goes. */
export const IDLE_MS = 600_000;

/** What {@linkcode OwnSessions} work with. */
export interface OwnSessionsOptions {
  /** Opens the session that a host has of its own. */
  readonly open: (
    key: string,
    opening: HostOpening,
    events: Pick<OpenedSessionOptions, "onRefresh" | "onServer" | "signal">,
  ) => OpenedSession;
  /** What is on offer for a host, of what it shares and of its own. */
  readonly offer: (
    key: string,
    session: GatewaySession,
    own: OpenedSession,
    ended: AbortSignal,
  ) => Offer;
  /** Tells the hosts of a key that they have other tools. */
  readonly onRefresh: (key: string) => Promise<RefreshOutcome>;
  /** Tells the hosts of a key of a server's row. */
  readonly onServer: (key: string, view: ServerView) => void;
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
  readonly offer: Promise<Offer>;
  readonly over: AbortController;
  /** When it was used last, in ticks. */
  usedAt: number;
  /** How many requests have asked for it and have no answer yet. */
  users: number;
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
   * @param asked Settles when the request that asks has its answer: until then its session is in use.
   */
  async of(
    host: Host,
    opening: HostOpening,
    shared: Offer,
    asked: Promise<void>,
  ): Promise<Offer> {
    if (this.#isClosed || shared.session.ownServers().length === 0) return shared;
    const id = sessionId(host, opening.capabilities);
    const known = this.#sessions.get(id);
    if (known === undefined && !this.#hasRoom(host.key)) return shared;
    const own = known ?? this.#open(id, host, opening, shared);
    own.usedAt = this.#options.clock.ticks();
    own.users++;
    void asked.finally(() => own.users--);
    return await own.offer;
  }

  /** Whether something of their own is open for the hosts of a key. */
  has(key: string): boolean {
    return [...this.#sessions.values()].some((own) => own.key === key);
  }

  /** What is on offer for the hosts of a key; `null` when nothing of their own is open. */
  async offerOf(key: string): Promise<Offer | null> {
    const own = [...this.#sessions.values()].find((session) => session.key === key);
    return own === undefined ? null : await own.offer;
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

  #open(id: string, host: Host, opening: HostOpening, shared: Offer): OwnSession {
    const { open, offer, onRefresh, onServer, naming, clock } = this.#options;
    const { key } = host;
    const over = new AbortController();
    const opened = open(key, opening, {
      onRefresh: () => onRefresh(key),
      onServer: (view) => onServer(key, view),
      signal: over.signal,
    });
    const own: OwnSession = {
      key,
      endsWithHost: host.opening !== null,
      opened,
      offer: opened.opened.then((session) =>
        offer(key, mergedSession(shared.session, session, naming), opened, over.signal)
      ),
      over,
      usedAt: clock.ticks(),
      users: 0,
    };
    this.#sessions.set(id, own);
    if (!own.endsWithHost) void this.#endWhenIdle(id, own);
    return own;
  }

  /** Makes room by ending the one that was not used for the longest time. */
  #hasRoom(key: string): boolean {
    const ofOne = [...this.#sessions].filter(([, own]) => own.key === key);
    if (ofOne.length >= MOST_OF_ONE) return this.#endIdlest(ofOne, isUnused);
    if (this.#sessions.size < MOST_SESSIONS) return true;
    if (this.#endIdlest([...this.#sessions], (own) => this.#isIdle(own))) return true;
    if (!this.#hasWarned) {
      this.#options.log.log("warn", "A host gets no servers of its own: too many hosts have some", {
        most: MOST_SESSIONS,
      });
    }
    this.#hasWarned = true;
    return false;
  }

  #endIdlest(
    sessions: readonly (readonly [string, OwnSession])[],
    mayEnd: (own: OwnSession) => boolean,
  ): boolean {
    const [first] = sessions.filter(([, own]) => mayEnd(own))
      .sort(([, a], [, b]) => a.usedAt - b.usedAt);
    if (first !== undefined) this.#end(...first);
    return first !== undefined;
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
  #isIdle(own: OwnSession): boolean {
    return isUnused(own) && !this.#options.isThere(own.key);
  }

  #end(id: string, own: OwnSession): void {
    this.#sessions.delete(id);
    own.over.abort();
    const ending = own.opened.close().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }
}

/** Whether no request runs over one that may end before its host has gone. */
function isUnused({ endsWithHost, opened, users }: OwnSession): boolean {
  return !endsWithHost && users === 0 && opened.bridge.calls.isIdle;
}

/** Names the session that a request of a host goes to. */
function sessionId(host: Host, capabilities: JsonObject): string {
  return host.opening === null ? `${host.key}\0${canonicalJson(capabilities)}` : host.key;
}

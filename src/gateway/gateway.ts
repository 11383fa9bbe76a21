import type { ServerNotification } from "../model/connection.ts";
import type { HostProfile } from "../model/host_profile.ts";
import type { JsonObject } from "../model/json.ts";
import type { Logger } from "../model/log.ts";
import type { ServerView } from "../model/server_view.ts";
import type { RefreshOutcome, ToolSet } from "../model/tool_set.ts";
import type { Clock } from "../runtime/clock.ts";
import type { NamingStyle } from "../tools/public_name.ts";
import { GivenPages } from "./bridge/given_pages.ts";
import { OpenedSession } from "./bridge/opened_session.ts";
import { OwnSessions } from "./bridge/own_sessions.ts";
import { ParkedCalls } from "./bridge/parked_calls.ts";
import { bridgedCapabilities, relayedCapabilities } from "./bridge/relayed_capabilities.ts";
import { askableHosts, type GatewayListener, worstOutcome } from "./gateway_listener.ts";
import type {
  GatewaySession,
  HostOpening,
  OpenSession,
  SessionOpening,
  SessionPreview,
} from "./gateway_session.ts";
import type { Host } from "./host.ts";
import { gatewayInstructions } from "./instructions.ts";
import { ListWatch } from "./list_watch.ts";
import { LogLevels } from "./log_levels.ts";
import { Offer, type WatchedOffer } from "./offer.ts";
import type { OfferPatterns } from "./offer_filter.ts";
import { ONCE_MS, TOLD_MS, type UnseenServers } from "./unseen_servers.ts";

/** What a {@linkcode Gateway} is made of. */
export interface GatewayOptions {
  /** Opens the session behind it. */
  readonly open: OpenSession;
  /** Looks what it would be made of, and starts nothing. Never rejects. */
  readonly preview: () => Promise<SessionPreview>;
  /** What its host does with tools; `null` when its kind is not known. */
  readonly profile: HostProfile | null;
  /** Which servers and tools are on offer. */
  readonly patterns: OfferPatterns;
  /**
   * Whether hosts that know nothing of each other share its servers, but for those with
   * `share: false`, of which each has its own. Default: it has one host.
   */
  readonly shares?: boolean;
  /** How prompts are named; tools are by their sessions, in the same way. Default: `server`. */
  readonly naming?: NamingStyle;
  /**
   * Whether a list to which a server gives nothing, as it has failed, is an error that names it.
   * Default `false`: the list has what there is, and says in `_meta` what became of each server.
   */
  readonly strict?: boolean;
  /** Time. */
  readonly clock: Clock;
  /** Where oddities are written. */
  readonly log: Logger;
}

/**
 * A session as one MCP server, whatever its hosts speak: what is on offer, what is said about it,
 * and whom to tell of changes. The session is opened when a host opens the conversation.
 */
export class Gateway {
  /** Which log lines hosts want of the servers. */
  readonly logLevels: LogLevels;
  /** The calls of hosts of the modern era that wait for answers to what servers ask. */
  readonly parked: ParkedCalls;
  /** Which hosts were sent to which pages by servers that are shared. */
  readonly pages: GivenPages = new GivenPages();
  readonly #options: GatewayOptions;
  readonly #ended = new AbortController();
  readonly #listeners = new Set<GatewayListener>();
  readonly #warned = new Map<string, string>();
  readonly #own: OwnSessions | null;
  #common: OpenedSession | null = null;
  #opening: Promise<WatchedOffer> | null = null;
  #offer: WatchedOffer | null = null;
  #closing: Promise<void> | null = null;

  /** Nothing starts. */
  constructor(options: GatewayOptions) {
    this.#options = options;
    this.logLevels = new LogLevels(options.clock);
    this.parked = new ParkedCalls(options.clock);
    this.#own = options.shares === true ? this.#ownSessions() : null;
  }

  /** What its host does with tools; `null` when its kind is not known. */
  get profile(): HostProfile | null {
    return this.#options.profile;
  }

  /** Time. */
  get clock(): Clock {
    return this.#options.clock;
  }

  /** The row of every server that all hosts have, in order; none before the session is open. */
  get servers(): readonly ServerView[] {
    return this.#common?.session?.servers() ?? [];
  }

  /** Opens the session that all share, before anybody asks for it. */
  start(): void {
    void this.#shared(null, { clientInfo: null, capabilities: {} });
  }

  /** Adds a host that is there, to be told of changes; gives what ends that. */
  listen(listener: GatewayListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * What is on offer for a host. The session is opened for the first who asks; resolves when its
   * start gate has been passed. One that cannot be opened is empty and says why. Never rejects.
   */
  async offer(host: Host, opening: HostOpening): Promise<Offer> {
    const shared = await this.#shared(host, opening);
    if (this.#own === null) return shared.offer;
    const told = { ...opening, capabilities: toldOf(host, opening) };
    return (await this.#own.of(host, told, shared)).offer;
  }

  /** Tells the servers that a host was declared to that its roots have changed. */
  rootsChanged(host: Host): void {
    if (this.#own === null) this.#common?.bridge.rootsChanged();
    else this.#own.rootsChanged(host);
  }

  /** Notes that a host of the legacy era has gone: what was open for it alone is ended. */
  left(host: Host): void {
    this.#own?.left(host);
  }

  /**
   * What a model is told about what is behind the gateway, as far as it is known. Opens no session:
   * some hosts start a gateway only to hear what it speaks, and end it. Never rejects.
   * @param session What is on offer for the host that asks. Default: what all hosts have.
   */
  async instructions(
    session: GatewaySession | null = this.#common?.session ?? null,
  ): Promise<string> {
    const { servers, failure } = session === null
      ? await this.#options.preview()
      : { servers: session.servers(), failure: session.failure };
    const instructionsOf = (server: string): string => session?.instructionsOf(server) ?? "";
    return gatewayInstructions({ servers, instructionsOf, failure });
  }

  /** Ends all sessions and their servers. Bounded, idempotent, never rejects. */
  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async #close(): Promise<void> {
    this.#ended.abort();
    this.parked.close();
    await Promise.all([this.#common?.close(), this.#own?.close()]);
  }

  #shared(host: Host | null, opening: HostOpening): Promise<WatchedOffer> {
    this.#opening ??= this.#openShared(host, opening);
    return this.#opening;
  }

  async #openShared(host: Host | null, opening: HostOpening): Promise<WatchedOffer> {
    const { signal } = this.#ended;
    const common = this.#open(
      this.#own === null
        ? { part: "all", ...opening, capabilities: toldOf(host, opening) }
        : { part: "shared", clientInfo: null, capabilities: {} },
      null,
      signal,
    );
    this.#common = common;
    const session = await common.opened;
    this.logLevels.adopt(session);
    this.#offer = this.#offerOf(session, common.unseen, null, signal);
    return this.#offer;
  }

  #ownSessions(): OwnSessions {
    const { naming = "server", clock, log } = this.#options;
    return new OwnSessions({
      open: (key, { clientInfo, capabilities }, signal) =>
        this.#open({ part: "own", clientInfo, capabilities }, key, signal),
      offer: (session, own, key, signal) => {
        const unseen: Pick<UnseenServers, "seen"> = {
          seen: async (...asked) => {
            await Promise.all([this.#common?.unseen.seen(...asked), own.unseen.seen(...asked)]);
          },
        };
        return this.#offerOf(session, unseen, key, signal);
      },
      onOpened: (session) => this.logLevels.adopt(session),
      onClosed: (session) => this.logLevels.release(session),
      isThere: (key) => this.#hosts(key).length > 0,
      naming,
      clock,
      log,
    });
  }

  /** Opens a session: for the hosts of a key, or for all, `null`. */
  #open(opening: SessionOpening, key: string | null, signal: AbortSignal): OpenedSession {
    const { open, profile, clock, log } = this.#options;
    return new OpenedSession({
      open,
      opening,
      limitMs: profile?.refreshes === true ? TOLD_MS : ONCE_MS,
      isShared: opening.part === "shared",
      hosts: () => askableHosts(this.#hosts(key)),
      onPageDone: (server, elicitationId) => {
        if (opening.part === "shared") return this.pages.done(server, elicitationId);
        for (const { tell } of askableHosts(this.#hosts(key))) {
          tell("notifications/elicitation/complete", { elicitationId });
        }
      },
      onRefresh: (toolSet) => this.#refresh(key, toolSet),
      onServer: (view) => this.#serverChanged(key, view),
      onNotification: (server, notification) => this.#notified(key, server, notification),
      signal,
      clock,
      log,
    });
  }

  #offerOf(
    session: GatewaySession,
    unseen: Pick<UnseenServers, "seen">,
    key: string | null,
    ended: AbortSignal,
  ): WatchedOffer {
    const { patterns, profile, naming = "server", strict = false, clock, log } = this.#options;
    const isStrict = strict;
    const offer = new Offer({ session, patterns, profile, naming, isStrict, unseen, log });
    const watch = new ListWatch({
      offer,
      clock,
      ended,
      onChanged: (list, versions) => {
        for (const listener of this.#hosts(key)) {
          // Who has something of their own has all of it in one list.
          if (this.#offerFor(listener.host) === offer) listener.listChanged(list, versions);
        }
      },
    });
    return { offer, watch };
  }

  /** The hosts of a key that are there; all of them for `null`. */
  #hosts(key: string | null): readonly GatewayListener[] {
    return [...this.#listeners].filter(({ host }) => key === null || host.key === key);
  }

  /** What is on offer for the hosts of a key; for any of them, for `null`. */
  #offers(key: string | null): readonly WatchedOffer[] {
    const own = this.#own?.offers(key) ?? [];
    return key === null && this.#offer !== null ? [this.#offer, ...own] : own;
  }

  #offerFor({ key }: Host): Offer | null {
    return this.#own?.offers(key)[0]?.offer ?? this.#offer?.offer ?? null;
  }

  /** Takes what a server tells by itself. Changed lists are read by the session. */
  #notified(key: string | null, server: string, { method, params }: ServerNotification): void {
    if (method === "notifications/message") {
      for (const listener of this.#hosts(key)) listener.logged(server, params);
    } else if (method === "notifications/resources/updated") {
      for (const { offer } of this.#offers(key)) offer.subscriptions.updated(server, params);
    }
  }

  #serverChanged(key: string | null, view: ServerView): void {
    for (const { watch } of this.#offers(key)) watch.changed();
    this.logLevels.serverChanged(view.name);
    this.#warn(view);
    for (const listener of this.#hosts(key)) listener.serverChanged(view);
  }

  /** Writes why a server gives no tools, once as long as it is the same. */
  #warn({ name, state, error }: ServerView): void {
    if (state === "connected") this.#warned.delete(name);
    if (error === null || this.#warned.get(name) === error.message) return;
    this.#warned.set(name, error.message);
    const { message, hint } = error;
    this.#options.log.log("warn", "MCP unavailable", { server: name, state, error: message, hint });
  }

  /** Tells the hosts of a key of their tools; what the least refreshed of them made of it counts. */
  async #refresh(key: string | null, toolSet: ToolSet): Promise<RefreshOutcome> {
    return worstOutcome(
      await Promise.all(
        this.#hosts(key).map((listener) =>
          listener.refresh(this.#offerFor(listener.host)?.session.toolSet ?? toolSet)
        ),
      ),
    );
  }
}

/** What servers that a host has for itself are told of what it can do. */
function toldOf(host: Host | null, { capabilities }: HostOpening): JsonObject {
  return host?.opening === null
    ? bridgedCapabilities(capabilities)
    : relayedCapabilities(capabilities);
}

import type { HostProfile } from "../model/host_profile.ts";
import type { JsonObject } from "../model/json.ts";
import type { Logger } from "../model/log.ts";
import type { ServerView } from "../model/server_view.ts";
import type { RefreshOutcome, ToolSet } from "../model/tool_set.ts";
import type { Clock } from "../runtime/clock.ts";
import type { NamingStyle } from "../tools/public_name.ts";
import {
  Audience,
  type Concerns,
  EVERYBODY,
  type GatewayListener,
  worstOutcome,
} from "./audience.ts";
import { GivenPages } from "./bridge/given_pages.ts";
import { OpenedSession, type OpenedSessionOptions } from "./bridge/opened_session.ts";
import { OwnSessions } from "./bridge/own_sessions.ts";
import { ParkedCalls } from "./bridge/parked_calls.ts";
import { bridgedCapabilities, relayedCapabilities } from "./bridge/relayed_capabilities.ts";
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
import type { LoopGuard } from "./loop_guard.ts";
import { Offer } from "./offer.ts";
import type { OfferPatterns } from "./offer_filter.ts";
import { UnavailableLog } from "./unavailable_log.ts";
import { ONCE_MS, TOLD_MS, type UnseenServers } from "./unseen_servers.ts";
import { ViaMarks } from "./via_marks.ts";

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
  /** Keeps it from being a server of itself. */
  readonly loops: LoopGuard;
  /**
   * Whether hosts that know nothing of each other share its servers, but for those with
   * `share: false`, of which each has its own. Default: it has one host.
   */
  readonly shares?: boolean;
  /** How tools and prompts are named; tools as the sessions behind it do. Default `server`. */
  readonly naming?: NamingStyle;
  /**
   * Whether a list to which a server gives nothing, as it has failed, is an error that names it.
   * Default `false`: the list has what there is, and says in `_meta` what became of each server.
   */
  readonly strict?: boolean;
  /** Whether three tools, which find, describe and call, stand for all. Default `false`. */
  readonly lazy?: boolean;
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
  /** The calls of hosts of the modern era that wait for answers to what servers ask. */
  readonly parked: ParkedCalls;
  /** Which hosts were sent to which pages by servers that are shared. */
  readonly pages: GivenPages = new GivenPages();
  /** Which log lines hosts want of the servers. */
  readonly logLevels: LogLevels;
  readonly #options: GatewayOptions;
  readonly #ended = new AbortController();
  readonly #audience = new Audience();
  readonly #unavailable: UnavailableLog;
  /** Marks what it lists. */
  readonly marks: ViaMarks;
  /** What finds out that lists have changed, one for each offer. */
  readonly #watches = new Set<ListWatch>();
  readonly #own: OwnSessions | null;
  #common: OpenedSession | null = null;
  #opening: Promise<Offer> | null = null;
  /** What all hosts have; `null` until the session is open. */
  #offer: Offer | null = null;
  #closing: Promise<void> | null = null;

  /** Nothing starts. */
  constructor(options: GatewayOptions) {
    this.#options = options;
    this.marks = new ViaMarks(options.loops.id);
    this.parked = new ParkedCalls(options.clock);
    this.logLevels = new LogLevels(options.clock);
    this.#unavailable = new UnavailableLog(options.log);
    this.#own = options.shares === true ? this.#ownSessions() : null;
  }

  /** What its host does with tools; `null` when its kind is not known. */
  get profile(): HostProfile | null {
    return this.#options.profile;
  }

  /** Keeps it from being a server of itself. */
  get loops(): LoopGuard {
    return this.#options.loops;
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
    return this.#audience.add(listener);
  }

  /**
   * What is on offer for a host. The session is opened for the first who asks; resolves when its
   * start gate has been passed. One that cannot be opened is empty and says why. Never rejects.
   * @param asked Settles when the request that asks has its answer.
   */
  async offer(host: Host, opening: HostOpening, asked: Promise<void>): Promise<Offer> {
    const offer = await this.#shared(host, opening);
    if (this.#own === null) return offer;
    const told = { ...opening, capabilities: toldOf(host, opening) };
    return await this.#own.of(host, told, offer, asked);
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
    const { lazy = false } = this.#options;
    return gatewayInstructions({ servers, instructionsOf, failure, lazy });
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

  #shared(host: Host | null, opening: HostOpening): Promise<Offer> {
    this.#opening ??= this.#openShared(host, opening);
    return this.#opening;
  }

  async #openShared(host: Host | null, opening: HostOpening): Promise<Offer> {
    const isShared = this.#options.shares === true;
    const common = this.#open({
      opening: isShared
        ? { part: "shared", clientInfo: null, capabilities: {} }
        : { part: "all", ...opening, capabilities: toldOf(host, opening) },
      isShared,
      hosts: () => this.#audience.askable(EVERYBODY),
      onRefresh: (toolSet) => this.#refresh(EVERYBODY, toolSet),
      onServer: (view) => this.#serverChanged(view, EVERYBODY),
      onLog: (server, params) => this.#audience.logged(server, params, EVERYBODY),
      signal: this.#ended.signal,
    });
    this.#common = common;
    // Hosts that have something of their own are told by what tells them of all.
    const concerns: Concerns = ({ host }) => this.#own?.has(host.key) !== true;
    const session = await common.opened;
    if (session.failure === null) this.#unavailable.atStart(session.servers(), isShared);
    this.#offer = this.#offerOf(session, common.unseen, concerns, this.#ended.signal);
    return this.#offer;
  }

  #ownSessions(): OwnSessions {
    const { naming = "server", clock, log } = this.#options;
    const isOf = (key: string): Concerns => ({ host }) => host.key === key;
    return new OwnSessions({
      open: (key, host, events) => {
        const opening: SessionOpening = { part: "own", ...host };
        return this.#open({
          opening,
          isShared: false,
          hosts: () => this.#audience.askable(isOf(key)),
          onLog: (server, params) => this.#audience.logged(server, params, isOf(key)),
          ...events,
        });
      },
      offer: (key, session, own, signal) => {
        const parts = [this.#common?.unseen, own.unseen];
        const seen: UnseenServers["seen"] = async (...asked) => {
          await Promise.all(parts.map((unseen) => unseen?.seen(...asked)));
        };
        return this.#offerOf(session, { seen }, isOf(key), signal);
      },
      onRefresh: (key) => this.#refresh(isOf(key)),
      onServer: (key, view) => this.#serverChanged(view, isOf(key)),
      isThere: (key) => this.#audience.has(isOf(key)),
      naming,
      clock,
      log,
    });
  }

  #open(
    options: Omit<OpenedSessionOptions, "open" | "limitMs" | "onPageDone" | "clock" | "log">,
  ): OpenedSession {
    const { open, profile, clock, log } = this.#options;
    const { hosts, isShared, onServer, signal } = options;
    const opened: OpenedSession = new OpenedSession({
      ...options,
      open,
      onServer: (view) => {
        onServer(view);
        if (opened.session !== null) this.logLevels.serverChanged(opened.session, view);
        for (const watch of this.#watches) watch.changed();
      },
      limitMs: profile?.refreshes === true ? TOLD_MS : ONCE_MS,
      onPageDone: (server, elicitationId) => {
        if (isShared) return this.pages.done(server, elicitationId);
        for (const { tell } of hosts()) {
          tell("notifications/elicitation/complete", { elicitationId });
        }
      },
      clock,
      log,
    });
    void opened.opened.then((session) => this.logLevels.adopt(session, signal));
    return opened;
  }

  /** What a session has on offer; the hosts that it concerns are told when its lists change. */
  #offerOf(
    session: GatewaySession,
    unseen: Pick<UnseenServers, "seen">,
    concerns: Concerns,
    ended: AbortSignal,
  ): Offer {
    const { naming = "server", strict: isStrict = false, lazy = false, clock } = this.#options;
    const offer = new Offer({ ...this.#options, session, naming, isStrict, lazy, unseen });
    const watch = new ListWatch({
      offer,
      clock,
      ended,
      onChanged: (list, versions) => this.#audience.listChanged(list, versions, concerns),
    });
    this.#watches.add(watch);
    ended.addEventListener("abort", () => this.#watches.delete(watch), { once: true });
    return offer;
  }

  #serverChanged(view: ServerView, concerns: Concerns): void {
    this.#unavailable.row(view);
    this.#audience.serverChanged(view, concerns);
  }

  /**
   * Tells hosts of their tools; what the least refreshed of them made of it counts.
   * @param toolSet What all hosts have; `null` when only what they have of their own has changed.
   */
  async #refresh(concerns: Concerns, toolSet: ToolSet | null = null): Promise<RefreshOutcome> {
    const said = new Map<Offer | null, boolean>();
    const outcomes = await Promise.all(
      this.#audience.concerned(concerns).map(async (listener): Promise<RefreshOutcome> => {
        const own = await this.#own?.offerOf(listener.host.key) ?? null;
        const offer = own ?? this.#offer;
        if (this.#options.lazy === true) {
          // A search finds the new tools: hosts need to know no more than what the three tools say.
          const isAsSaid = said.get(offer) ?? offer?.lazy?.isAsSaid() !== false;
          said.set(offer, isAsSaid);
          if (isAsSaid) return "refreshed";
        }
        const shown = own?.session.toolSet ?? toolSet;
        if (shown === null) return "refreshed";
        const { generation } = shown;
        const session = own?.session ?? this.#common?.session;
        return await listener.refresh(shown, () => session?.toolSet.generation === generation);
      }),
    );
    return worstOutcome(outcomes);
  }
}

/** What servers that a host has for itself are told of what it can do. */
function toldOf(host: Host | null, { capabilities }: HostOpening): JsonObject {
  return host?.opening === null
    ? bridgedCapabilities(capabilities)
    : relayedCapabilities(capabilities);
}

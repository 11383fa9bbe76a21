import type { HostProfile } from "../model/host_profile.ts";
import type { JsonObject } from "../model/json.ts";
import type { Logger } from "../model/log.ts";
import type { ServerView } from "../model/server_view.ts";
import type { RefreshOutcome, ToolSet } from "../model/tool_set.ts";
import type { Clock } from "../runtime/clock.ts";
import type { NamingStyle } from "../tools/public_name.ts";
import { GivenPages } from "./bridge/given_pages.ts";
import { OpenedSession, type OpenedSessionOptions } from "./bridge/opened_session.ts";
import { OwnSessions } from "./bridge/own_sessions.ts";
import { ParkedCalls } from "./bridge/parked_calls.ts";
import { bridgedCapabilities, relayedCapabilities } from "./bridge/relayed_capabilities.ts";
import type { AskableHost } from "./bridge/session_bridge.ts";
import type {
  GatewaySession,
  HostOpening,
  OpenSession,
  SessionOpening,
  SessionPreview,
} from "./gateway_session.ts";
import type { Host } from "./host.ts";
import { gatewayInstructions } from "./instructions.ts";
import { type ListVersions, ListWatch } from "./list_watch.ts";
import type { ChangingList } from "./listen_streams.ts";
import { LogLevels } from "./log_levels.ts";
import type { LoopGuard } from "./loop_guard.ts";
import { Offer } from "./offer.ts";
import type { OfferPatterns } from "./offer_filter.ts";
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

/** What hosts make of a refresh; the first that one of them did counts for all. */
const WORST_FIRST: readonly RefreshOutcome[] = ["failed", "ignored", "announced", "refreshed"];

/** Who is told of changes behind a gateway, and asked for what servers need. */
export interface GatewayListener extends Omit<AskableHost, "capabilities"> {
  /** Which host it is. */
  readonly host: Host;
  /** The tool set is another one. */
  refresh(toolSet: ToolSet): Promise<RefreshOutcome>;
  /** Prompts or resources are others, as the host sees them. */
  listChanged(list: ChangingList, versions: ListVersions): void;
  /** The row of a server has changed. */
  serverChanged(view: ServerView): void;
  /** A server has written to its log, because of no request that is known: the params as received. */
  logged(server: string, params: JsonObject): void;
}

/** Tells which hosts something concerns. */
type Concerns = (listener: GatewayListener) => boolean;

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
  readonly #listeners = new Set<GatewayListener>();
  readonly #warned = new Map<string, string>();
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
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * What is on offer for a host. The session is opened for the first who asks; resolves when its
   * start gate has been passed. One that cannot be opened is empty and says why. Never rejects.
   */
  async offer(host: Host, opening: HostOpening): Promise<Offer> {
    const offer = await this.#shared(host, opening);
    if (this.#own === null) return offer;
    return await this.#own.of(host, { ...opening, capabilities: toldOf(host, opening) }, offer);
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
      hosts: () => this.#askable(),
      onRefresh: (toolSet) => this.#refreshAll(toolSet),
      onServer: (view) => this.#serverChanged(view, () => true),
      onLog: (server, params) => this.#logged(server, params, () => true),
      signal: this.#ended.signal,
    });
    this.#common = common;
    // Hosts that have something of their own are told by what tells them of all.
    const concerns: Concerns = ({ host }) => this.#own?.has(host.key) !== true;
    const session = await common.opened;
    this.#offer = this.#offerOf(session, common.unseen, concerns, this.#ended.signal);
    return this.#offer;
  }

  #ownSessions(): OwnSessions {
    const { naming = "server", clock, log } = this.#options;
    const isOf = (key: string): Concerns => ({ host }) => host.key === key;
    return new OwnSessions({
      open: (key, host, events) => {
        const opening: SessionOpening = { part: "own", ...host };
        const hosts = (): readonly AskableHost[] => this.#askable(isOf(key));
        const onLog = (server: string, params: JsonObject): void =>
          this.#logged(server, params, isOf(key));
        return this.#open({ opening, isShared: false, hosts, onLog, ...events });
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
      isThere: (key) => [...this.#listeners].some(isOf(key)),
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
      onChanged: (list, versions) => {
        for (const listener of this.#concerned(concerns)) listener.listChanged(list, versions);
      },
    });
    this.#watches.add(watch);
    ended.addEventListener("abort", () => this.#watches.delete(watch), { once: true });
    return offer;
  }

  #concerned(concerns: Concerns): readonly GatewayListener[] {
    return [...this.#listeners].filter(concerns);
  }

  #logged(server: string, params: JsonObject, concerns: Concerns): void {
    for (const listener of this.#concerned(concerns)) listener.logged(server, params);
  }

  /** The hosts of the legacy era that are there and fit. */
  #askable(
    fits: (listener: GatewayListener) => boolean = () => true,
  ): readonly AskableHost[] {
    return [...this.#listeners].filter(fits).flatMap(({ host: { opening }, ask, tell }) =>
      opening === null ? [] : [{ capabilities: opening.capabilities, ask, tell }]
    );
  }

  #serverChanged(view: ServerView, concerns: Concerns): void {
    this.#warn(view);
    for (const listener of this.#concerned(concerns)) listener.serverChanged(view);
  }

  /** Writes why a server gives no tools, once as long as it is the same. */
  #warn({ name, state, error }: ServerView): void {
    if (state === "connected") this.#warned.delete(name);
    if (error === null || this.#warned.get(name) === error.message) return;
    this.#warned.set(name, error.message);
    const { message, hint } = error;
    this.#options.log.log("warn", "MCP unavailable", { server: name, state, error: message, hint });
  }

  /** Tells everybody of what all hosts have; what the least refreshed of them made of it counts. */
  async #refreshAll(toolSet: ToolSet): Promise<RefreshOutcome> {
    return await this.#refresh(() => true, toolSet);
  }

  /** Tells the hosts that fit of their tools. */
  async #refresh(
    fits: Concerns,
    toolSet: ToolSet | null = null,
  ): Promise<RefreshOutcome> {
    const said = new Map<Offer | null, boolean>();
    const outcomes = await Promise.all(
      this.#concerned(fits).map(async (listener): Promise<RefreshOutcome> => {
        const own = await this.#own?.offerOf(listener.host.key) ?? null;
        const offer = own ?? this.#offer;
        if (this.#options.lazy === true) {
          // A search finds the new tools: hosts need to know no more than what the three tools say.
          const isAsSaid = said.get(offer) ?? offer?.lazy?.isAsSaid() !== false;
          said.set(offer, isAsSaid);
          if (isAsSaid) return "refreshed";
        }
        const shown = own?.session.toolSet ?? toolSet;
        return shown === null ? "refreshed" : await listener.refresh(shown);
      }),
    );
    return WORST_FIRST.find((outcome) => outcomes.includes(outcome)) ?? "announced";
  }
}

/** What servers that a host has for itself are told of what it can do. */
function toldOf(host: Host | null, { capabilities }: HostOpening): JsonObject {
  return host?.opening === null
    ? bridgedCapabilities(capabilities)
    : relayedCapabilities(capabilities);
}

import { HotplugError, toHotplugError } from "../model/errors.ts";
import type { HostProfile } from "../model/host_profile.ts";
import type { Logger } from "../model/log.ts";
import type { ServerView } from "../model/server_view.ts";
import type { RefreshOutcome, ToolSet } from "../model/tool_set.ts";
import type { Clock } from "../runtime/clock.ts";
import {
  emptySession,
  type GatewaySession,
  type HostOpening,
  type OpenSession,
  type SessionPreview,
} from "./gateway_session.ts";
import type { HostIdentity } from "./host.ts";
import { gatewayInstructions } from "./instructions.ts";
import type { LoopGuard } from "./loop_guard.ts";
import { Offer } from "./offer.ts";
import type { OfferPatterns } from "./offer_filter.ts";
import { ONCE_MS, TOLD_MS, UnseenServers } from "./unseen_servers.ts";
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
  /** Whether three tools, which find, describe and call, stand for all. Default `false`. */
  readonly lazy?: boolean;
  /** Time. */
  readonly clock: Clock;
  /** Where oddities are written. */
  readonly log: Logger;
}

/** What hosts make of a refresh; the first that one of them did counts for all. */
const WORST_FIRST: readonly RefreshOutcome[] = ["failed", "ignored", "announced", "refreshed"];

/** Who is told of changes behind a gateway. */
export interface GatewayListener {
  /** The tool set is another one. */
  refresh(toolSet: ToolSet): Promise<RefreshOutcome>;
  /** The row of a server has changed. */
  serverChanged(view: ServerView): void;
}

/**
 * A session as one MCP server, whatever its hosts speak: what is on offer, what is said about it,
 * and whom to tell of changes. The session is opened when a host opens the conversation.
 */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #ended = new AbortController();
  readonly #listeners = new Set<GatewayListener>();
  readonly #warned = new Map<string, string>();
  /** Marks what it lists. */
  readonly marks: ViaMarks;
  #opening: Promise<Offer> | null = null;
  #session: GatewaySession | null = null;
  #offer: Offer | null = null;
  #unseen: UnseenServers | null = null;
  #closing: Promise<void> | null = null;

  /** Nothing starts. */
  constructor(options: GatewayOptions) {
    this.#options = options;
    this.marks = new ViaMarks(options.loops.id);
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

  /** The row of every server, in order; none before the session is open. */
  get servers(): readonly ServerView[] {
    return this.#session?.servers() ?? [];
  }

  /** Opens the session that all share, before anybody asks for it. */
  start(): void {
    this.#opening ??= this.#open({ clientInfo: null, capabilities: {} });
  }

  /** Adds somebody to be told of changes; gives what ends that. */
  listen(listener: GatewayListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * What is on offer for a host. The session is opened for the first who asks; resolves when its
   * start gate has been passed. One that cannot be opened is empty and says why. Never rejects.
   */
  offer(_host: HostIdentity, opening: HostOpening): Promise<Offer> {
    this.#opening ??= this.#open(opening);
    return this.#opening;
  }

  /**
   * What a model is told about what is behind the gateway, as far as it is known. Opens no session:
   * some hosts start a gateway only to hear what it speaks, and end it. Never rejects.
   */
  async instructions(): Promise<string> {
    const session = this.#session;
    const { servers, failure } = session === null
      ? await this.#options.preview()
      : { servers: session.servers(), failure: session.failure };
    const instructionsOf = (server: string): string => session?.instructionsOf(server) ?? "";
    const { lazy = false } = this.#options;
    return gatewayInstructions({ servers, instructionsOf, failure, lazy });
  }

  /** Ends the session and its servers. Bounded, idempotent, never rejects. */
  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async #close(): Promise<void> {
    this.#ended.abort();
    const offer = await this.#opening;
    await offer?.session.close();
  }

  async #open(opening: HostOpening): Promise<Offer> {
    const { open, patterns, profile, lazy = false, clock, log } = this.#options;
    const { signal } = this.#ended;
    const limitMs = profile?.refreshes === true ? TOLD_MS : ONCE_MS;
    this.#unseen = new UnseenServers(() => this.#session, clock, limitMs);
    try {
      if (signal.aborted) throw new HotplugError("aborted", "Aborted");
      this.#session = await open(opening, {
        onRefresh: (toolSet) => this.#refresh(toolSet),
        onServer: (view) => this.#serverChanged(view),
      }, signal);
    } catch (thrown) {
      const error = toHotplugError(thrown, "discovery-failed").toInfo();
      if (!signal.aborted) log.log("error", "Cannot open a session", { error: error.message });
      this.#session = emptySession(error);
    }
    const unseen = this.#unseen;
    this.#offer = new Offer({ session: this.#session, patterns, profile, lazy, unseen, log });
    return this.#offer;
  }

  #serverChanged(view: ServerView): void {
    this.#unseen?.changed();
    this.#warn(view);
    for (const listener of this.#listeners) listener.serverChanged(view);
  }

  /** Writes why a server gives no tools, once as long as it is the same. */
  #warn({ name, state, error }: ServerView): void {
    if (state === "connected") this.#warned.delete(name);
    if (error === null || this.#warned.get(name) === error.message) return;
    this.#warned.set(name, error.message);
    const { message, hint } = error;
    this.#options.log.log("warn", "MCP unavailable", { server: name, state, error: message, hint });
  }

  /** Tells everybody; what the least refreshed of them made of it counts. */
  async #refresh(toolSet: ToolSet): Promise<RefreshOutcome> {
    // A search finds the new tools: hosts need to know no more than what the three tools say.
    if (this.#options.lazy === true && this.#offer?.lazy?.isAsSaid() !== false) return "refreshed";
    const outcomes = await Promise.all(
      [...this.#listeners].map((listener) => listener.refresh(toolSet)),
    );
    return WORST_FIRST.find((outcome) => outcomes.includes(outcome)) ?? "announced";
  }
}

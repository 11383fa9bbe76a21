import type { HostProfile } from "../model/host_profile.ts";
import type { Logger } from "../model/log.ts";
import { Catalogue } from "./catalogue.ts";
import type { GatewaySession } from "./gateway_session.ts";
import { LazyTools } from "./lazy/lazy_tools.ts";
import type { OfferPatterns } from "./offer_filter.ts";
import type { UnseenServers } from "./unseen_servers.ts";

/** What an {@linkcode Offer} is made of. */
export interface OfferOptions {
  /** Whose tools they are. */
  readonly session: GatewaySession;
  /** Which servers and tools are on offer. */
  readonly patterns: OfferPatterns;
  /** What the host does with tools; `null` when its kind is not known. */
  readonly profile: HostProfile | null;
  /** Whether three tools stand for all. */
  readonly lazy: boolean;
  /** Waits for servers that nobody has seen before. */
  readonly unseen: UnseenServers | null;
  /** Where oddities are written. */
  readonly log: Logger;
}

/** What a session has on offer, under the names that hosts know it by. */
export class Offer {
  /** Whose it is. */
  readonly session: GatewaySession;
  /** The tools. */
  readonly tools: Catalogue;
  /** The three tools that stand for all of them; `null` when they are listed themselves. */
  readonly lazy: LazyTools | null;
  readonly #unseen: UnseenServers | null;

  /** Looks at the session when it is asked. */
  constructor({ session, patterns, profile, lazy, unseen, log }: OfferOptions) {
    this.session = session;
    this.#unseen = unseen;
    this.tools = new Catalogue({
      tools: () => session.toolSet.tools,
      patterns,
      toolMeta: profile?.toolMeta ?? null,
      log,
    });
    this.lazy = !lazy ? null : new LazyTools({
      catalogue: this.tools,
      purposeOf: (server) => session.purposeOf(server),
      toolMeta: profile?.toolMeta ?? null,
    });
  }

  /**
   * Waits until something is known of each server: at most 3 seconds from the start, and 10 for a host
   * that asks for the tools only once. Never rejects.
   */
  async seen(signal: AbortSignal): Promise<void> {
    await this.#unseen?.seen(signal);
  }
}

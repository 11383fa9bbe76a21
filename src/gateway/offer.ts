import type { HostProfile } from "../model/host_profile.ts";
import type { JsonObject } from "../model/json.ts";
import type { ListKind } from "../model/listing.ts";
import type { Logger } from "../model/log.ts";
import type { ServerView } from "../model/server_view.ts";
import type { NamingStyle } from "../tools/public_name.ts";
import { Catalogue } from "./catalogue.ts";
import type { GatewayList, GatewaySession } from "./gateway_session.ts";
import { LazyTools } from "./lazy/lazy_tools.ts";
import { ListSource } from "./offer/list_source.ts";
import { PromptCatalogue } from "./offer/prompt_catalogue.ts";
import { ResourceCatalogue } from "./offer/resource_catalogue.ts";
import { type OfferPatterns, serverInOffer } from "./offer_filter.ts";
import type { UnseenServers } from "./unseen_servers.ts";

/** What an {@linkcode Offer} is made of. */
export interface OfferOptions {
  /** Whose tools they are. */
  readonly session: GatewaySession;
  /** Which servers and tools are on offer. */
  readonly patterns: OfferPatterns;
  /** What the host does with tools; `null` when its kind is not known. */
  readonly profile: HostProfile | null;
  /** How prompts are named. */
  readonly naming: NamingStyle;
  /** Whether a list to which a server gives nothing, as it has failed, is an error. */
  readonly isStrict: boolean;
  /** Whether three tools stand for all. */
  readonly lazy: boolean;
  /** Waits for servers that nobody has seen before. */
  readonly unseen: Pick<UnseenServers, "seen"> | null;
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
  /** The prompts. */
  readonly prompts: PromptCatalogue;
  /** The resources, and the templates of resources. */
  readonly resources: ResourceCatalogue;
  /** Whether a list to which a server gives nothing, as it has failed, is an error. */
  readonly isStrict: boolean;
  readonly #patterns: OfferPatterns;
  readonly #unseen: OfferOptions["unseen"];

  /** Looks at the session when it is asked. */
  constructor(options: OfferOptions) {
    const { session, patterns, profile, naming, isStrict, lazy, unseen, log } = options;
    this.session = session;
    this.isStrict = isStrict;
    this.#patterns = patterns;
    this.#unseen = unseen;
    const source = (kind: GatewayList): ListSource =>
      new ListSource(session, kind, (server) => this.isWhole(server));
    this.prompts = new PromptCatalogue(source("prompts"), naming);
    this.resources = new ResourceCatalogue(source("resources"), source("resourceTemplates"));
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

  /** Whether all of a server is on offer, and not some of its tools alone. */
  isWhole(server: string): boolean {
    return serverInOffer(this.#patterns, server);
  }

  /** How many items of a list a server gives, by the name of the list; `null` when it is not known. */
  countOf(view: ServerView, kind: ListKind): JsonObject {
    if (kind === "tools") return { tools: view.tools };
    const known = kind === "prompts" ? view.prompts : view.resources;
    const count = this.isWhole(view.name) ? this.session.listed(view.name, kind).length : 0;
    return { [kind]: known === null ? null : count };
  }

  /**
   * Waits until something is known of the list of each server: at most 3 seconds from the start, and
   * 10 for a host that asks for the tools only once. Never rejects.
   */
  async seen(signal: AbortSignal, kind: ListKind): Promise<void> {
    await this.#unseen?.seen(signal, kind);
  }
}

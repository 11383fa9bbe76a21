import type { ListSource, ServerList } from "./list_source.ts";
import { LinkMemory } from "./link_memory.ts";
import { MergedList } from "./merged_list.ts";
import { offeredResource, offeredTemplate } from "./sound_item.ts";
import { UriPrefixes } from "./uri_prefix.ts";
import { isMoreSpecific, type UriTemplate, uriTemplate } from "./uri_template.ts";

/** A resource, or a template of resources, by what its own side calls it. */
export interface ResourceAddress {
  /** The server's name in the plan. */
  readonly server: string;
  /** The URI, or the template, as the server knows it. */
  readonly uri: string;
}

/** A template on offer. */
interface OfferedTemplate {
  /** What it means. */
  readonly address: ResourceAddress;
  /** Characters of the host's form that the server does not know. */
  readonly prefix: number;
  /** Tells which URIs of the host's form it makes; `null` when it is no template. */
  readonly template: UriTemplate | null;
}

/**
 * The resources that a gateway offers, under URIs that hosts know them by: those of their servers, as
 * long as no server that stands earlier in the plan has the same one. What each URI means is looked
 * up: listed, given as a link in a result, with a prefix that was given out, or made by a template.
 */
export class ResourceCatalogue {
  readonly #resources: ListSource;
  readonly #templates: ListSource;
  readonly #prefixes = new UriPrefixes();
  /** What earlier lists held. */
  readonly #links = new LinkMemory();
  /** What results named, by whose results they were: a link may be a secret between the two. */
  readonly #given = new Map<string, LinkMemory>();
  readonly #list = new MergedList();
  readonly #templateList = new MergedList();
  #seen: readonly ServerList[] | null = null;
  #seenTemplates: readonly ServerList[] | null = null;
  /** What each listed URI means. */
  #addresses: ReadonlyMap<string, ResourceAddress> = new Map();
  /** Under which URI each listed resource stands, by server and by its own one. */
  #names: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map();
  /** The addresses by their URIs as browsers write them; made when it is needed. */
  #written: ReadonlyMap<string, ResourceAddress> | null = null;
  #offered: ReadonlyMap<string, OfferedTemplate> = new Map();

  /** Looks at the lists when it is asked. */
  constructor(resources: ListSource, templates: ListSource) {
    this.#resources = resources;
    this.#templates = templates;
  }

  /** The list of resources as hosts see it now. */
  list(): MergedList {
    const lists = this.#resources.current();
    if (lists === this.#seen) return this.#list;
    this.#seen = lists;
    const before = this.#addresses;
    const addresses = new Map<string, ResourceAddress>();
    const names = new Map<string, Map<string, string>>();
    const items = each(lists).map(({ server, key, raw }) => {
      const uri = this.#free(addresses, server, key);
      addresses.set(uri, { server, uri: key });
      const own = names.get(server) ?? new Map<string, string>();
      names.set(server, own.set(key, uri));
      return offeredResource(server, uri, raw);
    });
    this.#addresses = addresses;
    this.#names = names;
    this.#written = null;
    // A host may still read what it knows from an earlier list.
    for (const [uri, address] of before) if (!addresses.has(uri)) this.#links.set(uri, address);
    this.#list.set(items);
    return this.#list;
  }

  /** The list of templates as hosts see it now. */
  templates(): MergedList {
    const lists = this.#templates.current();
    if (lists === this.#seenTemplates) return this.#templateList;
    this.#seenTemplates = lists;
    const offered = new Map<string, OfferedTemplate>();
    const items = each(lists).map(({ server, key, raw }) => {
      const text = this.#free(offered, server, key);
      const prefix = text.length - key.length;
      const address = { server, uri: key };
      offered.set(text, { address, prefix, template: uriTemplate(text) });
      return offeredTemplate(server, text, raw);
    });
    this.#offered = offered;
    this.#templateList.set(items);
    return this.#templateList;
  }

  /**
   * What a URI of a host means; `null` when no server is known to have it.
   * @param principal Whose host it is; links that others were given are not known to it.
   */
  find(uri: string, principal: string = ""): ResourceAddress | null {
    this.list();
    return this.#known(uri, this.#given.get(principal)) ?? this.#prefixes.find(uri) ??
      this.#asWritten(uri) ?? this.#made(uri);
  }

  /** What a template of a host means; `null` when it is not on offer. */
  findTemplate(text: string): ResourceAddress | null {
    this.templates();
    return this.#offered.get(text)?.address ?? null;
  }

  /**
   * Under which URI a host gets a resource that a server has named in a result; what it means is
   * remembered. It is the server's own one, unless that would be read from another server.
   */
  nameFor(server: string, uri: string, principal: string = ""): string {
    this.list();
    const listed = this.#names.get(server)?.get(uri);
    if (listed !== undefined) return listed;
    const given = this.#given.get(principal) ?? new LinkMemory();
    this.#given.set(principal, given);
    const isFor = (found: ResourceAddress | null): boolean =>
      found === null || (found.server === server && found.uri === uri);
    let name = uri;
    if (!isFor(this.find(uri, principal))) {
      // Another server may list, or may have linked, what looks like a name with this prefix.
      do name = `${this.#prefixes.give(server)}${name}`; while (!isFor(this.#known(name, given)));
    }
    given.set(name, { server, uri });
    return name;
  }

  /** What a URI means by itself, without its prefix and without templates. */
  #known(uri: string, given: LinkMemory | undefined): ResourceAddress | null {
    return this.#addresses.get(uri) ?? given?.get(uri) ?? this.#links.get(uri);
  }

  /** The URI itself where nothing has it, else with the prefix of its server. */
  #free(taken: ReadonlyMap<string, unknown>, server: string, uri: string): string {
    let name = uri;
    while (taken.has(name)) name = `${this.#prefixes.give(server)}${name}`;
    return name;
  }

  /**
   * What a URI means that the host has written in another way: those that read URIs into a type of
   * their own make `http://host/` of `http://host`. The server gets it as the host has written it.
   */
  #asWritten(uri: string): ResourceAddress | null {
    const href = asWritten(uri);
    this.#written ??= new Map(
      [...this.#addresses].reverse().map(([listed, address]) => [
        asWritten(listed),
        address,
      ]),
    );
    const address = this.#written.get(href);
    return address === undefined ? null : { server: address.server, uri };
  }

  /** The server of the template that fits best; of several the one that stands first. */
  #made(uri: string): ResourceAddress | null {
    this.templates();
    let best: { readonly offered: OfferedTemplate; readonly template: UriTemplate } | null = null;
    for (const offered of this.#offered.values()) {
      const { template } = offered;
      if (template === null || !template.fits(uri)) continue;
      if (best === null || isMoreSpecific(template, best.template)) best = { offered, template };
    }
    if (best === null) return null;
    const { address, prefix } = best.offered;
    return { server: address.server, uri: uri.slice(prefix) };
  }
}

/** Every item with its server, in order. */
function each(
  lists: readonly ServerList[],
): readonly ({ readonly server: string } & ServerList["items"][number])[] {
  return lists.flatMap(({ server, items }) => items.map((item) => ({ ...item, server })));
}

/** A URI as browsers write it; as it is when it is none. */
function asWritten(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).href : uri;
}

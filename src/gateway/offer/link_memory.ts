import type { ResourceAddress } from "./resource_catalogue.ts";

/** Most URIs that are remembered; the one that was used longest ago is forgotten first. */
const MOST_LINKS = 10_000;

/** Longest URI that is remembered, in characters. */
const LONGEST_LINK = 4_096;

/** Which server gave which URI in a result, or has listed it before. */
export class LinkMemory {
  readonly #links = new Map<string, ResourceAddress>();

  /** What a URI means; `null` when it was never given, or is forgotten. */
  get(uri: string): ResourceAddress | null {
    const address = this.#links.get(uri);
    if (address === undefined) return null;
    this.#links.delete(uri);
    this.#links.set(uri, address);
    return address;
  }

  /** Remembers what a URI means. */
  set(uri: string, address: ResourceAddress): void {
    if (uri.length > LONGEST_LINK) return;
    this.#links.delete(uri);
    this.#links.set(uri, address);
    if (this.#links.size <= MOST_LINKS) return;
    const [oldest] = this.#links.keys();
    if (oldest !== undefined) this.#links.delete(oldest);
  }
}

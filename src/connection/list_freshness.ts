import type { JsonObject } from "../model/json.ts";
import type { Listing } from "../model/listing.ts";

/** How long the server calls a list fresh: the strictest word of its pages. */
export class Freshness {
  #ttlMs: number | null = null;
  #cacheScope: "public" | "private" | null = null;

  /** Takes the word of one page. */
  add(page: JsonObject): void {
    const { ttlMs, cacheScope } = page;
    if (typeof ttlMs === "number" && Number.isFinite(ttlMs) && ttlMs >= 0) {
      this.#ttlMs = Math.min(this.#ttlMs ?? ttlMs, ttlMs);
    }
    if (cacheScope === "private" || (cacheScope === "public" && this.#cacheScope === null)) {
      this.#cacheScope = cacheScope;
    }
  }

  /** The strictest word so far; `null` where the server said nothing. */
  value(): Pick<Listing<unknown>, "ttlMs" | "cacheScope"> {
    return { ttlMs: this.#ttlMs, cacheScope: this.#cacheScope };
  }
}

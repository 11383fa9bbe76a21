import type { AuthProvider } from "../model/auth.ts";
import { HotplugError } from "../model/errors.ts";
import { CookieJar } from "./cookie_jar.ts";
import { networkError } from "./http_error.ts";
import { redirectError } from "./redirect_error.ts";

/** Redirects followed at most. */
const MOST_REDIRECTS = 5;

/** What {@linkcode OriginFetch} takes. */
export interface OriginFetchOptions {
  /** Name of the server, for messages. */
  readonly name: string;
  /** The server's endpoint; everything is sent to its origin. */
  readonly url: URL;
  /** Configured headers, checked. */
  readonly headers: Headers;
  /** Gives the token, when there is one. */
  readonly authProvider?: AuthProvider | undefined;
  /** What sends requests. Default: `fetch`. */
  readonly fetch?: typeof fetch;
}

/**
 * Sends requests to the origin of one server and nowhere else. Configured headers, token and
 * cookies go there; redirects are followed within it, when they keep the method; a network failure
 * becomes an error of ours.
 */
export class OriginFetch {
  readonly #options: OriginFetchOptions;
  readonly #fetch: typeof fetch;
  readonly #cookies = new CookieJar();

  /** Nothing is sent yet. */
  constructor(options: OriginFetchOptions) {
    this.#options = options;
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
  }

  /**
   * Sends a request, and once more when a token was refused and the provider has another.
   * @throws {HotplugError} `server-unreachable`; or the abort of `init.signal` as it is.
   */
  async send(url: URL, init: RequestInit): Promise<Response> {
    const response = await this.#authorized(url, init);
    this.#cookies.take(response.headers);
    return response;
  }

  async #authorized(url: URL, init: RequestInit): Promise<Response> {
    const { authProvider } = this.#options;
    const token = await authProvider?.token();
    const response = await this.#followed(url, init, token);
    if (response.status !== 401 || authProvider === undefined) return response;
    const renewed = await authProvider.token();
    if (renewed === undefined || renewed === token) return response;
    await response.body?.cancel();
    return await this.#followed(url, init, renewed);
  }

  async #followed(start: URL, init: RequestInit, token: string | undefined): Promise<Response> {
    let url = start;
    for (let count = 0;; count++) {
      const response = await this.#once(url, init, token);
      if (response.status < 300 || response.status >= 400 || response.status === 304) {
        return response;
      }
      const location = response.headers.get("location");
      const target = location === null ? null : URL.parse(location, url);
      await response.body?.cancel();
      const keepsMethod = response.status === 307 || response.status === 308;
      if (target?.origin !== this.#options.url.origin || !keepsMethod || count >= MOST_REDIRECTS) {
        throw redirectError(this.#options.name, response.status, url, target);
      }
      url = target;
    }
  }

  async #once(url: URL, init: RequestInit, token: string | undefined): Promise<Response> {
    const { name, url: own } = this.#options;
    if (url.origin !== own.origin) {
      throw new HotplugError(
        "server-unreachable",
        `Cannot reach "${name}": it names an endpoint at ${url.origin}, which is not its own origin ${own.origin}`,
      );
    }
    const headers = new Headers(init.headers);
    for (const [key, value] of this.#options.headers) {
      if (!headers.has(key)) headers.set(key, value);
    }
    if (token !== undefined && token !== "") headers.set("authorization", `Bearer ${token}`);
    const cookie = this.#cookies.header();
    if (cookie !== null && !headers.has("cookie")) headers.set("cookie", cookie);
    try {
      return await this.#fetch(url, { ...init, ...sentOnce(init), headers, redirect: "manual" });
    } catch (thrown) {
      if (init.signal?.aborted === true) throw thrown;
      throw networkError(name, url, thrown);
    }
  }
}

/**
 * The body in a form that the runtime cannot send twice. Deno repeats a request with a text body
 * by itself when a reused connection breaks before the answer, and a tool would run twice.
 */
function sentOnce(init: RequestInit): RequestInit {
  return typeof init.body === "string" ? { body: new Blob([init.body]) } : {};
}

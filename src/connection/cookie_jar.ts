/** Cookies kept at most, so that a server cannot fill the memory. */
const MOST_COOKIES = 50;

/**
 * Cookies of one origin for the life of one connection: load balancers route a session by them.
 * They are sent back to that origin alone; paths and times of life are left out of account.
 */
export class CookieJar {
  readonly #cookies = new Map<string, string>();

  /** Takes the `Set-Cookie` headers of an answer. */
  take(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split(";");
      const at = pair.indexOf("=");
      const name = pair.slice(0, at).trim();
      if (at < 1 || name === "") continue;
      this.#cookies.delete(name);
      const isGone = attributes.some((text) => /^\s*max-age\s*=\s*(?:0|-\d+)\s*$/i.test(text));
      if (!isGone && this.#cookies.size < MOST_COOKIES) {
        this.#cookies.set(name, pair.slice(at + 1).trim());
      }
    }
  }

  /** The `Cookie` header to send; `null` when there is none. */
  header(): string | null {
    if (this.#cookies.size === 0) return null;
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }
}

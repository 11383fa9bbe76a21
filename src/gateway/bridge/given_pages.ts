/** Tells a host something that belongs to none of its requests. */
export type TellHost = (method: string, params: { readonly elicitationId: string }) => void;

/** Names of pages that are kept at most; the oldest goes first. */
const MOST_NAMES = 1_000;

/**
 * Which hosts were sent to which pages by servers that several hosts share: only they are told that
 * the page's business is done.
 */
export class GivenPages {
  readonly #hosts = new Map<string, Set<TellHost>>();

  /** Notes that a host was sent to a page. */
  given(server: string, elicitationId: string, tell: TellHost): void {
    const key = pageKey(server, elicitationId);
    const hosts = this.#hosts.get(key) ?? new Set();
    this.#hosts.delete(key);
    this.#hosts.set(key, hosts.add(tell));
    const [oldest] = this.#hosts.keys();
    if (this.#hosts.size > MOST_NAMES && oldest !== undefined) this.#hosts.delete(oldest);
  }

  /** Tells the hosts that were sent to a page that its business is done. */
  done(server: string, elicitationId: string): void {
    const key = pageKey(server, elicitationId);
    const hosts = this.#hosts.get(key) ?? [];
    this.#hosts.delete(key);
    for (const tell of hosts) tell("notifications/elicitation/complete", { elicitationId });
  }
}

function pageKey(server: string, elicitationId: string): string {
  return `${server.length}:${server}${elicitationId}`;
}

/** What may be asked for, and from which pages. */
export interface HostRulesOptions {
  /** Address that is listened at. */
  readonly address: string;
  /** More names that the gateway is reached by, without a port. */
  readonly allowedHosts: readonly string[];
  /** Origins of web pages that may use it, as `https://app.example`. */
  readonly allowedOrigins: readonly string[];
}

/** Names by which a machine reaches itself. */
const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Which names a gateway answers to and which web pages may use it. A page that has its name point
 * at this machine (DNS rebinding) is known by that name in `Host`, any other by its `Origin`. Pure.
 */
export class HostRules {
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;
  /** The `Host` that was right last: nearly all requests have the same. */
  #known = "";

  /** Rules for one address. */
  constructor({ address, allowedHosts, allowedOrigins }: HostRulesOptions) {
    const own = address.includes(":") ? `[${address}]` : address;
    this.#hosts = new Set([...LOOPBACK, own, ...allowedHosts].map((host) => host.toLowerCase()));
    this.#origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase()));
  }

  /** Whether a `Host` names this gateway. Its port is not looked at: it may be a forwarded one. */
  isHost(host: string | null): boolean {
    if (host === null || host === "") return false;
    if (host === this.#known) return true;
    const isKnown = this.#hosts.has(nameOf(host).toLowerCase());
    if (isKnown) this.#known = host;
    return isKnown;
  }

  /** Whether a page of this origin may use it: one of its own, one that is allowed, or no page. */
  isOrigin(origin: string | null, host: string): boolean {
    if (origin === null) return true;
    const lower = origin.toLowerCase();
    const own = host.toLowerCase();
    return lower === `http://${own}` || lower === `https://${own}` || this.allows(origin);
  }

  /** Whether a page of this origin was allowed by name, and is so told. */
  allows(origin: string): boolean {
    return this.#origins.has(origin.toLowerCase());
  }
}

/** The name in a `Host`, its port left out. */
function nameOf(host: string): string {
  return /^(\[[0-9a-fA-F:.]+\]|[^:[\]@/?#\s]+)(?::\d{1,5})?$/.exec(host)?.[1] ?? "";
}

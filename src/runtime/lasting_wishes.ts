import type { LoggingLevel } from "../model/log_message.ts";

/** What a host wants of its servers until further notice, whatever becomes of a connection. */
export class LastingWishes {
  readonly #levels = new Map<string, LoggingLevel | null>();
  readonly #subscriptions = new Map<string, Set<string>>();
  readonly #usualLevel: LoggingLevel | null;

  /** `usualLevel` is asked of every server that no other was set for; `null` asks for nothing. */
  constructor(usualLevel: LoggingLevel | null) {
    this.#usualLevel = usualLevel;
  }

  /** The log level to ask a server for; `null` for what it sends by itself. */
  logLevel(server: string): LoggingLevel | null {
    return this.#levels.has(server) ? this.#levels.get(server) ?? null : this.#usualLevel;
  }

  /** Sets the log level of a server. */
  setLogLevel(server: string, level: LoggingLevel | null): void {
    this.#levels.set(server, level);
  }

  /** Resources to subscribe to on a server. */
  subscriptions(server: string): readonly string[] {
    return [...this.#subscriptions.get(server) ?? []];
  }

  /** Adds a resource to those. */
  subscribe(server: string, uri: string): void {
    const uris = this.#subscriptions.get(server) ?? new Set();
    this.#subscriptions.set(server, uris.add(uri));
  }

  /** Takes a resource out. */
  unsubscribe(server: string, uri: string): void {
    const uris = this.#subscriptions.get(server);
    uris?.delete(uri);
    if (uris?.size === 0) this.#subscriptions.delete(server);
  }
}

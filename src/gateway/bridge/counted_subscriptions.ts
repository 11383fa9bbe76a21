import type { RequestOptions } from "../../model/tool.ts";

/** What subscribes to resources. */
interface Subscriber {
  subscribe(server: string, uri: string, options: RequestOptions): Promise<void>;
  unsubscribe(server: string, uri: string): Promise<void>;
}

/** Subscriptions of a session for several offers of it: each ends with the last that wanted it. */
export class CountedSubscriptions implements Subscriber {
  readonly #subscriber: Subscriber;
  readonly #counts = new Map<string, number>();

  /** Nobody wants anything. */
  constructor(subscriber: Subscriber) {
    this.#subscriber = subscriber;
  }

  /** Subscribes for one more. @throws {HotplugError} why the server does not tell of it. */
  async subscribe(server: string, uri: string, options: RequestOptions): Promise<void> {
    await this.#subscriber.subscribe(server, uri, options);
    const key = resourceKey(server, uri);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** Notes that one wants it no longer. @throws {HotplugError} what the server answers. */
  async unsubscribe(server: string, uri: string): Promise<void> {
    const key = resourceKey(server, uri);
    const left = (this.#counts.get(key) ?? 1) - 1;
    if (left > 0) {
      this.#counts.set(key, left);
      return;
    }
    this.#counts.delete(key);
    await this.#subscriber.unsubscribe(server, uri);
  }
}

function resourceKey(server: string, uri: string): string {
  return `${server.length}:${server}${uri}`;
}

import { unlessAborted } from "../model/abort.ts";
import type { MCPServerConnection, ServerNotification } from "../model/connection.ts";
import { HotplugError, toHotplugError } from "../model/errors.ts";
import { isJsonObject } from "../model/json.ts";
import type { LoggingLevel } from "../model/log_message.ts";
import type { RequestOptions } from "../model/tool.ts";
import { listenForChanges } from "./change_listener.ts";
import type { ConnectContext } from "./connect_options.ts";
import type { Link } from "./link.ts";
import { undelivered } from "./undelivered.ts";
import { WatchedResources } from "./watched_resources.ts";

/**
 * What a server was told to do until further notice: its log level and subscriptions. Both are told
 * again to every link of a connection.
 */
export class KeptWishes {
  readonly #context: ConnectContext;
  readonly #request: MCPServerConnection["request"];
  readonly #watched: WatchedResources;
  #level: LoggingLevel | null;
  #link: Link | null = null;

  /** Nothing is told yet. `request` sends over the link of the time. */
  constructor(context: ConnectContext, request: MCPServerConnection["request"]) {
    this.#context = context;
    this.#request = request;
    this.#level = context.logLevel ?? null;
    this.#watched = new WatchedResources(context.name);
    for (const uri of context.subscriptions ?? []) this.#watched.add(uri);
  }

  /** Tells all wishes to a link. In the background: nothing waits for it. */
  adopt(link: Link): void {
    const isFirst = this.#link === null;
    this.#link = link;
    const { host, onNotification, callTimeout, log } = this.#context;
    const onMissed = (notification: ServerNotification): void => host.notified(notification);
    if (link.protocol.era === "modern") {
      link.wire.setLogLevel(this.#level);
      const watched = this.#watched;
      const lists = onNotification !== undefined;
      const { timers } = this.#context;
      void listenForChanges(link, { lists, watched, timeout: callTimeout, timers, onMissed, log });
      return;
    }
    if (this.#level !== null) this.#quietly(this.#sendLevel(this.#level));
    for (const uri of this.#watched.uris()) {
      this.#quietly(
        this.#request("resources/subscribe", { uri }).then(() => {
          if (!isFirst) onMissed({ method: "notifications/resources/updated", params: { uri } });
        }),
      );
    }
  }

  /** Tells of every watched resource that it may have changed: the stream of a server had a gap. */
  tellMissed(): void {
    for (const uri of this.#watched.uris()) {
      this.#context.host.notified({ method: "notifications/resources/updated", params: { uri } });
    }
  }

  /** Resources that are subscribed to. */
  subscriptions(): readonly string[] {
    return this.#watched.uris();
  }

  /** Subscribes to a resource. */
  async subscribe(uri: string, options: RequestOptions = {}): Promise<void> {
    // No stream will stand any more that the waiting could wait for.
    const { ended } = this.#context.host;
    if (ended.aborted) throw undelivered(toHotplugError(ended.reason, "connection-closed"));
    if (!this.#watched.add(uri)) return;
    try {
      if (this.#link?.protocol.era === "modern") {
        await unlessAborted(this.#watched.standing(uri), options.signal);
      } else await this.#request("resources/subscribe", { uri }, options);
    } catch (thrown) {
      this.#watched.remove(uri);
      throw thrown instanceof HotplugError ? thrown : new HotplugError(
        "protocol-error",
        `Cannot subscribe to "${uri}" on "${this.#context.name}": ${messageOf(thrown)}`,
      );
    }
  }

  /** Ends a subscription; nothing happens when there is none. */
  async unsubscribe(uri: string, options: RequestOptions = {}): Promise<void> {
    if (!this.#watched.remove(uri) || this.#link?.protocol.era === "modern") return;
    await this.#request("resources/unsubscribe", { uri }, options);
  }

  /** Asks for log lines of this level and graver ones; `null` for those that come unasked. */
  async setLogLevel(level: LoggingLevel | null, options: RequestOptions = {}): Promise<void> {
    const before = this.#level;
    if (level === before) return;
    this.#level = level;
    if (this.#link?.protocol.era === "modern") return this.#link.wire.setLogLevel(level);
    // A legacy server can be told another level, but not to forget it.
    if (level === null) return;
    try {
      await this.#sendLevel(level, options);
    } catch (thrown) {
      // It may be asked for once more.
      if (this.#level === level) this.#level = before;
      throw thrown;
    }
  }

  /** Tells of changed roots, where that was promised. The modern era asks whenever it needs them. */
  async rootsChanged(): Promise<void> {
    const { capabilities, log } = this.#context;
    const { roots } = capabilities;
    const link = this.#link;
    if (link === null || link.protocol.era === "modern") return;
    if (!isJsonObject(roots) || roots["listChanged"] !== true) return;
    await link.client.sendRootsListChanged().catch((thrown) => {
      log.log("debug", "Cannot tell of changed roots", { error: messageOf(thrown) });
    });
  }

  async #sendLevel(level: LoggingLevel, options?: RequestOptions): Promise<void> {
    if (!isJsonObject(this.#link?.capabilities["logging"])) return;
    await this.#request("logging/setLevel", { level }, options);
  }

  #quietly(work: Promise<void>): void {
    work.catch((thrown) => {
      this.#context.log.log("debug", "Cannot tell a wish to a server", {
        server: this.#context.name,
        error: messageOf(thrown),
      });
    });
  }
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

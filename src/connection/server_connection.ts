import { abortedError, unlessAborted } from "../model/abort.ts";
import type { MCPServerConnection, ServerHost } from "../model/connection.ts";
import type { TransportType } from "../model/definition.ts";
import { HotplugError, toHotplugError } from "../model/errors.ts";
import type { JsonObject } from "../model/json.ts";
import type { ServerIdentity } from "../model/listing.ts";
import type { RequestOptions } from "../model/tool.ts";
import type { LoggingLevel } from "../model/log_message.ts";
import type { ServerConnectionParts } from "./connection_parts.ts";
import { KeptWishes } from "./kept_wishes.ts";
import type { Link } from "./link.ts";
import { maskedError } from "./masking.ts";
import { MissedChanges } from "./missed_changes.ts";
import { closeLink, RetiredLinks } from "./retired_links.ts";
import { isLostSession, SessionLostError } from "./session_loss.ts";
import { missingSignOfLife } from "./sign_of_life.ts";
import { undelivered } from "./undelivered.ts";

/** A live connection: its link, another one after a lost session, and one orderly end. */
export class ServerConnection implements MCPServerConnection {
  /** Name of the server. */
  readonly name: string;
  /** Process id of a stdio server. */
  readonly pid: number | null;
  /** Settles once, when it has ended. */
  readonly closed: Promise<HotplugError | null>;
  readonly #parts: ServerConnectionParts;
  readonly #wishes: KeptWishes;
  readonly #missed: MissedChanges;
  #link: Link;
  #renewal: Promise<Link> | null = null;
  readonly #retired = new RetiredLinks();
  /** Fires at the end, for what goes on beside the links. */
  readonly #over = new AbortController();
  #ending: Promise<void> | null = null;
  #endReason: HotplugError | null = null;
  #confirming: Promise<boolean> | null = null;
  #settleClosed: (reason: HotplugError | null) => void = () => {};

  /** Takes over a link and watches for its end. */
  constructor(parts: ServerConnectionParts) {
    const { context } = parts;
    this.name = context.name;
    this.pid = parts.pid;
    this.#parts = parts;
    this.#wishes = new KeptWishes(
      context,
      (method, params, options) => this.request(method, params, options),
    );
    this.#missed = new MissedChanges(
      (notification) => context.host.notified(notification),
      context.timers,
    );
    this.#link = parts.link;
    this.closed = new Promise((resolve) => this.#settleClosed = resolve);
    this.#adopt(parts.link);
  }

  /** Transport in use. */
  get transport(): TransportType {
    return this.#link.transport;
  }

  /** Protocol in use. */
  get protocol(): MCPServerConnection["protocol"] {
    return this.#link.protocol;
  }

  /** What the server calls itself. */
  get server(): ServerIdentity {
    return this.#link.server;
  }

  /** The host as the server sees it. */
  get host(): ServerHost {
    return this.#parts.context.host;
  }

  /** What it declares, as received. */
  get capabilities(): JsonObject {
    return this.#link.capabilities;
  }

  /** Its instructions; empty when it gave none. */
  get instructions(): string {
    return this.#link.instructions;
  }

  /** What was odd so far. */
  warnings(): readonly string[] {
    const version = this.#link.wire.initialize.warning();
    return version === null ? this.#parts.warnings() : [version, ...this.#parts.warnings()];
  }

  /**
   * Sends a request and gives its result as received. When the server has lost our session, one
   * new handshake is made for all that wait, and each request is sent once more: a server that
   * knows no session has not processed it.
   */
  async request(
    method: string,
    params: JsonObject,
    options: RequestOptions = {},
  ): Promise<JsonObject> {
    try {
      return await this.#requestOnce(method, params, options);
    } catch (thrown) {
      throw thrown instanceof HotplugError ? maskedError(thrown, this.#parts.context.mask) : thrown;
    }
  }

  async #requestOnce(
    method: string,
    params: JsonObject,
    options: RequestOptions,
  ): Promise<JsonObject> {
    if (options.signal?.aborted === true) throw abortedError(options.signal);
    if (this.#endReason !== null) throw undelivered(this.#endReason);
    const link = this.#renewal === null
      ? this.#link
      : await unlessAborted(this.#renewal, options.signal);
    try {
      return await link.wire.request(method, params, options);
    } catch (thrown) {
      if (!isLostSession(thrown, link)) throw thrown;
    }
    const next = await unlessAborted(this.#renewed(link), options.signal);
    try {
      return await next.wire.request(method, params, options);
    } catch (thrown) {
      if (!(thrown instanceof SessionLostError)) throw thrown;
      throw new HotplugError(
        "connection-closed",
        `Cannot finish "${method}" on "${this.name}": the server lost a new session at once`,
        { details: { delivered: "no" } },
      );
    }
  }

  /** Asks for a sign of life. */
  confirm(): Promise<boolean> {
    this.#confirming ??= this.#confirmOnce().finally(() => this.#confirming = null);
    return this.#confirming;
  }

  /** Asks for log lines of this level and graver ones. */
  setLogLevel(level: LoggingLevel | null, options?: RequestOptions): Promise<void> {
    return this.#wishes.setLogLevel(level, options);
  }

  /** Resources that are subscribed to. */
  subscriptions(): readonly string[] {
    return this.#wishes.subscriptions();
  }

  /** Subscribes to a resource. */
  subscribe(uri: string, options?: RequestOptions): Promise<void> {
    return this.#wishes.subscribe(uri, options);
  }

  /** Ends a subscription. */
  unsubscribe(uri: string, options?: RequestOptions): Promise<void> {
    return this.#wishes.unsubscribe(uri, options);
  }

  /** Tells the server that the host's roots have changed. */
  rootsChanged(): Promise<void> {
    return this.#wishes.rootsChanged();
  }

  /** Ends it. */
  close(): Promise<void> {
    return this.#end(null);
  }

  async #confirmOnce(): Promise<boolean> {
    if (this.#endReason !== null) return false;
    if (this.pid !== null) return !this.#parts.isEnding();
    const isBusy = (): boolean => this.#link.wire.isBusy;
    const missing = await missingSignOfLife(this, isBusy, this.#over.signal);
    if (missing !== null) void this.#end(missing);
    return this.#endReason === null;
  }

  #adopt(link: Link): void {
    this.#link = link;
    link.wire.onUnreachable = () => void this.confirm();
    link.wire.ended.then((reason) => {
      if (this.#link !== link) return;
      this.#end(maskedError(toHotplugError(reason, "connection-closed"), this.#parts.context.mask));
    });
    link.wire.onReopened = () => {
      this.#missed.reopened(link);
      this.#wishes.tellMissed();
    };
    this.#wishes.adopt(link);
  }

  #renewed(lost: Link): Promise<Link> {
    if (this.#link !== lost) return Promise.resolve(this.#link);
    this.#renewal ??= this.#renew(lost).finally(() => this.#renewal = null);
    return this.#renewal;
  }

  async #renew(lost: Link): Promise<Link> {
    const { renew, context } = this.#parts;
    context.log.log("info", "The server lost the session; making a new one");
    let link: Link;
    try {
      if (renew === null) throw new HotplugError("connection-closed", `Lost "${this.name}"`);
      link = await renew(this.#over.signal);
    } catch (thrown) {
      if (this.#endReason !== null) throw this.#endReason;
      const error = maskedError(
        toHotplugError(thrown, "connection-closed"),
        this.#parts.context.mask,
      );
      this.#end(error);
      throw error;
    }
    if (this.#endReason !== null) {
      await closeLink(link);
      throw this.#endReason;
    }
    this.#adopt(link);
    this.#missed.renewed(link);
    void this.#retired.add(lost);
    return link;
  }

  #end(reason: HotplugError | null): Promise<void> {
    this.#ending ??= this.#endOnce(reason);
    return this.#ending;
  }

  async #endOnce(reason: HotplugError | null): Promise<void> {
    this.#endReason = reason ??
      new HotplugError("connection-closed", `The connection to "${this.name}" was closed`);
    this.#over.abort();
    const links = [this.#link, ...this.#retired.links()];
    this.#parts.context.host.end(this.#endReason);
    for (const link of links) link.wire.end(this.#endReason);
    // What waits learns of a failure at once; what lies below is cleared away meanwhile.
    if (reason !== null) this.#settleClosed(reason);
    await Promise.all(links.map((link) => closeLink(link)));
    await this.#parts.end();
    this.#settleClosed(reason);
  }
}

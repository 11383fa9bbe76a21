import { abortedError, unlessAborted } from "../model/abort.ts";
import type { MCPServerConnection, ServerNotification } from "../model/connection.ts";
import type { TransportType } from "../model/definition.ts";
import { HotplugError, toHotplugError } from "../model/errors.ts";
import type { JsonObject } from "../model/json.ts";
import type { ServerIdentity } from "../model/listing.ts";
import type { Logger } from "../model/log.ts";
import type { RequestOptions } from "../model/tool.ts";
import { listenForChanges } from "./change_listener.ts";
import type { Link } from "./link.ts";
import { maskedError } from "./masking.ts";
import { MissedChanges } from "./missed_changes.ts";
import { saysSessionLost, SessionLostError } from "./session_loss.ts";
import { settledWithin, type Timers } from "./timers.ts";
import { undelivered } from "./undelivered.ts";

/** Milliseconds that a link gets to close. Sessions over HTTP say goodbye within one second. */
const CLOSE_LINK_MS = 1_500;

/** Milliseconds that a remote server may take for a sign of life. */
const LONGEST_SILENCE_MS = 10_000;

/** What a {@linkcode ServerConnection} is made of. */
export interface ServerConnectionParts {
  /** Name of the server. */
  readonly name: string;
  /** The first link. */
  readonly link: Link;
  /** Process id; `null` over HTTP. */
  readonly pid: number | null;
  /** Whether its process is known to be ending, of which the link tells a moment later. */
  readonly isEnding: () => boolean;
  /** Makes another link after a lost session; `null` where there are no sessions. */
  readonly renew: ((signal: AbortSignal) => Promise<Link>) | null;
  /** Ends what lies below the link, such as the process; bounded, never rejects. */
  readonly end: () => Promise<void>;
  /** What was odd so far. */
  readonly warnings: () => readonly string[];
  /** Gets what the server announces; without it nobody listens for changes. */
  readonly onNotification: ((notification: ServerNotification) => void) | undefined;
  /** The clock of streams. Default: the machine's. */
  readonly timers?: Timers | undefined;
  /** Replaces known secrets. */
  readonly mask: (text: string) => string;
  /** Where oddities are written. */
  readonly log: Logger;
}

/** A live connection: its link, another one after a lost session, and one orderly end. */
export class ServerConnection implements MCPServerConnection {
  /** Name of the server. */
  readonly name: string;
  /** Process id of a stdio server. */
  readonly pid: number | null;
  /** Settles once, when it has ended. */
  readonly closed: Promise<HotplugError | null>;
  readonly #parts: ServerConnectionParts;
  readonly #missed: MissedChanges;
  #link: Link;
  #renewal: Promise<Link> | null = null;
  readonly #retired = new Set<Link>();
  /** Fires at the end, for what goes on beside the links. */
  readonly #over = new AbortController();
  #ending: Promise<void> | null = null;
  #endReason: HotplugError | null = null;
  #confirming: Promise<boolean> | null = null;
  #settleClosed: (reason: HotplugError | null) => void = () => {};

  /** Takes over a link and watches for its end. */
  constructor(parts: ServerConnectionParts) {
    this.name = parts.name;
    this.pid = parts.pid;
    this.#parts = parts;
    this.#missed = new MissedChanges((notification) => this.#announce(notification), parts.timers);
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
      throw thrown instanceof HotplugError ? maskedError(thrown, this.#parts.mask) : thrown;
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

  /** Ends it. */
  close(): Promise<void> {
    return this.#end(null);
  }

  async #confirmOnce(): Promise<boolean> {
    if (this.#endReason !== null) return false;
    if (this.pid !== null) return !this.#parts.isEnding();
    const method = this.protocol.era === "modern" ? "server/discover" : "ping";
    let failure: HotplugError;
    try {
      await this.request(method, {}, { timeout: LONGEST_SILENCE_MS, signal: this.#over.signal });
      return true;
    } catch (thrown) {
      failure = toHotplugError(thrown);
    }
    const isBusy = this.#link.wire.isBusy;
    if (this.#endReason === null && !isDead(failure, isBusy)) return true;
    void this.#end(failure);
    return false;
  }

  #adopt(link: Link): void {
    this.#link = link;
    link.wire.onUnreachable = () => void this.confirm();
    link.wire.ended.then((reason) => {
      if (this.#link !== link) return;
      this.#end(maskedError(toHotplugError(reason, "connection-closed"), this.#parts.mask));
    });
    link.wire.onReopened = () => this.#missed.reopened(link);
    const { onNotification, log, timers } = this.#parts;
    if (onNotification === undefined) return;
    listenForChanges(link, { log, timers, onMissed: (missed) => this.#announce(missed) });
  }

  #announce(notification: ServerNotification): void {
    const { onNotification, log } = this.#parts;
    try {
      onNotification?.(notification);
    } catch (thrown) {
      log.log("warn", "A notification callback threw", { error: String(thrown) });
    }
  }

  #renewed(lost: Link): Promise<Link> {
    if (this.#link !== lost) return Promise.resolve(this.#link);
    this.#renewal ??= this.#renew(lost).finally(() => this.#renewal = null);
    return this.#renewal;
  }

  async #renew(lost: Link): Promise<Link> {
    const { renew, log } = this.#parts;
    log.log("info", "The server lost the session; making a new one");
    let link: Link;
    try {
      if (renew === null) throw new HotplugError("connection-closed", `Lost "${this.name}"`);
      link = await renew(this.#over.signal);
    } catch (thrown) {
      if (this.#endReason !== null) throw this.#endReason;
      const error = maskedError(toHotplugError(thrown, "connection-closed"), this.#parts.mask);
      this.#end(error);
      throw error;
    }
    if (this.#endReason !== null) {
      await settledWithin(link.close(), CLOSE_LINK_MS);
      throw this.#endReason;
    }
    this.#adopt(link);
    this.#missed.renewed(link);
    this.#retire(lost);
    return link;
  }

  /** Requests that the old session still answers are left to end; then its link is closed. */
  async #retire(link: Link): Promise<void> {
    this.#retired.add(link);
    await link.wire.idle();
    this.#retired.delete(link);
    await settledWithin(link.close(), CLOSE_LINK_MS);
  }

  #end(reason: HotplugError | null): Promise<void> {
    this.#ending ??= this.#endOnce(reason);
    return this.#ending;
  }

  async #endOnce(reason: HotplugError | null): Promise<void> {
    this.#endReason = reason ??
      new HotplugError("connection-closed", `The connection to "${this.name}" was closed`);
    this.#over.abort();
    const links = [this.#link, ...this.#retired];
    for (const link of links) link.wire.end(this.#endReason);
    // What waits learns of a failure at once; what lies below is cleared away meanwhile.
    if (reason !== null) this.#settleClosed(reason);
    await Promise.all(links.map((link) => settledWithin(link.close(), CLOSE_LINK_MS)));
    await this.#parts.end();
    this.#settleClosed(reason);
  }
}

function isLostSession(thrown: unknown, link: Link): boolean {
  if (thrown instanceof SessionLostError) return true;
  return link.wire.sessionId !== undefined && thrown instanceof HotplugError &&
    thrown.code === "protocol-error" && saysSessionLost(String(thrown.details["message"] ?? ""));
}

/**
 * Whether a failed sign of life means that nobody is there. Any answer is one, also a refusal of
 * the question; and a server that is busy with other requests may be slow to answer.
 */
function isDead({ code, details }: HotplugError, isBusy: boolean): boolean {
  if (code === "request-timeout") return !isBusy;
  if (code === "needs-auth" || code === "unauthorized") return true;
  const { status } = details;
  if (typeof status === "number" && status < 500) return false;
  return code === "server-unreachable" || code === "connection-closed";
}

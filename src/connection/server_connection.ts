import type { MCPServerConnection } from "../model/connection.ts";
import type { TransportType } from "../model/definition.ts";
import { HotplugError, toHotplugError } from "../model/errors.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { ServerIdentity } from "../model/listing.ts";
import type { Logger } from "../model/log.ts";
import type { RequestOptions } from "../model/tool.ts";
import type { Link } from "./link.ts";
import { abortedError } from "./pending_requests.ts";
import { saysSessionLost, SessionLostError } from "./session_loss.ts";
import { settledWithin } from "./timers.ts";

/** Milliseconds that a link gets to close. Sessions over HTTP say goodbye within one second. */
const CLOSE_LINK_MS = 1_500;

/** What a {@linkcode ServerConnection} is made of. */
export interface ServerConnectionParts {
  /** Name of the server. */
  readonly name: string;
  /** The first link. */
  readonly link: Link;
  /** Process id; `null` over HTTP. */
  readonly pid: number | null;
  /** Makes another link after a lost session; `null` where there are no sessions. */
  readonly renew: (() => Promise<Link>) | null;
  /** Ends what lies below the link, such as the process; bounded, never rejects. */
  readonly end: () => Promise<void>;
  /** What was odd so far. */
  readonly warnings: () => readonly string[];
  /** Whether to open a listen stream in the modern era, which sends no changes unasked. */
  readonly listen: boolean;
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
  #link: Link;
  #renewal: Promise<Link> | null = null;
  readonly #retired = new Set<Link>();
  #ending: Promise<void> | null = null;
  #endReason: HotplugError | null = null;
  #settleClosed: (reason: HotplugError | null) => void = () => {};

  /** Takes over a link and watches for its end. */
  constructor(parts: ServerConnectionParts) {
    this.name = parts.name;
    this.pid = parts.pid;
    this.#parts = parts;
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
    if (options.signal?.aborted === true) throw abortedError(options.signal);
    if (this.#endReason !== null) throw this.#endReason;
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

  /** Ends it. */
  close(): Promise<void> {
    return this.#end(null);
  }

  #adopt(link: Link): void {
    this.#link = link;
    link.wire.ended.then((reason) => {
      if (this.#link === link) this.#end(toHotplugError(reason, "connection-closed"));
    });
    if (this.#parts.listen) this.#listen(link);
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
      link = await renew();
    } catch (thrown) {
      const error = toHotplugError(thrown, "connection-closed");
      this.#end(error);
      throw error;
    }
    if (this.#endReason !== null) {
      await settledWithin(link.close(), CLOSE_LINK_MS);
      throw this.#endReason;
    }
    this.#adopt(link);
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

  /** The modern era sends changes only to who listens. A refusal costs nothing but the changes. */
  async #listen(link: Link): Promise<void> {
    if (link.protocol.era !== "modern") return;
    const changes = (capability: string): boolean => {
      const declared = link.capabilities[capability];
      return isJsonObject(declared) && declared["listChanged"] === true;
    };
    const filter = {
      ...(changes("tools") ? { toolsListChanged: true } : {}),
      ...(changes("prompts") ? { promptsListChanged: true } : {}),
      ...(changes("resources") ? { resourcesListChanged: true } : {}),
    };
    if (Object.keys(filter).length === 0) return;
    try {
      await link.client.listen(filter);
    } catch (thrown) {
      this.#parts.log.log("debug", "Cannot listen for changes", { error: String(thrown) });
    }
  }

  #end(reason: HotplugError | null): Promise<void> {
    this.#ending ??= this.#endOnce(reason);
    return this.#ending;
  }

  async #endOnce(reason: HotplugError | null): Promise<void> {
    this.#endReason = reason ??
      new HotplugError("connection-closed", `The connection to "${this.name}" was closed`);
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

/** The work, or the abort of its caller, whichever comes first. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(abortedError(signal));
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

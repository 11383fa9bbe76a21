import type { TransportType } from "./definition.ts";
import type { JsonObject } from "./json.ts";
import type { ServerIdentity } from "./listing.ts";
import type { HotplugError } from "./errors.ts";
import type { ProtocolEra } from "./server_view.ts";
import type { LoggingLevel } from "./log_message.ts";
import type { RequestOptions } from "./tool.ts";

/** A notification that a server sent by itself. */
export interface ServerNotification {
  /** Its method, such as `notifications/tools/list_changed`. */
  readonly method: string;
  /** Its parameters, as received. */
  readonly params: JsonObject;
  /**
   * The `call` of the forwarded request that it belongs to, see {@linkcode ForwardOptions.call};
   * absent when there is none, or when it is not sure which.
   */
  readonly call?: object;
}

/** The host as one server asks it, for requests that stand in results and errors of the server. */
export interface ServerHost {
  /** Fires when the connection ends, with why. */
  readonly ended: AbortSignal;
  /** Whether it shows pages to the user. */
  readonly opensUrls: boolean;
  /**
   * The result of one request of the server.
   * @param call What stands for the forwarded request that it asks because of; `null` for none.
   * @throws an error with a JSON-RPC `code` when nothing answers it; what the host's handler throws.
   */
  ask(
    method: string,
    params: JsonObject,
    signal: AbortSignal,
    call: object | null,
  ): Promise<JsonObject>;
  /** Waits for the word that a page's business is done, from now on; `stop()` ends the waiting. */
  awaitComplete(elicitationId: string): { readonly done: Promise<void>; stop(): void };
}

/** One live connection to one server. */
export interface MCPServerConnection {
  /** Name of the server. */
  readonly name: string;
  /** Transport in use. */
  readonly transport: TransportType;
  /** Protocol in use. */
  readonly protocol: { readonly era: ProtocolEra; readonly version: string };
  /** What the server calls itself. */
  readonly server: ServerIdentity;
  /** What the server declares, as received. */
  readonly capabilities: JsonObject;
  /** The server's instructions; empty when it gave none. */
  readonly instructions: string;
  /** Process id of a stdio server. */
  readonly pid: number | null;
  /** Settles once, when the connection has ended: `null` after `close()`, else why. */
  readonly closed: Promise<HotplugError | null>;
  /** What was odd so far: noise on stdout and the like, one sentence each. */
  warnings(): readonly string[];
  /**
   * Sends a request and gives its result as received.
   * @throws {HotplugError} `request-timeout`, `protocol-error` (details: code, data),
   * `connection-closed` or `server-exited`, `needs-auth`, `aborted`.
   */
  request(method: string, params: JsonObject, options?: RequestOptions): Promise<JsonObject>;
  /**
   * Asks for a sign of life, once for all who ask at the same time, and ends the connection when
   * there is none. A process is alive while its pipes stand; one whose pipes broke is about to end
   * by itself. A remote server must answer within 10 seconds, unless other requests are under way.
   * Never rejects.
   * @returns Whether the connection can be used.
   */
  confirm(): Promise<boolean>;
  /**
   * Asks for log lines of this level and graver ones; `null` for those that come unasked. Kept over
   * a renewed session. Does nothing on a legacy server without a log.
   * @throws {HotplugError} As {@linkcode request}.
   */
  setLogLevel(level: LoggingLevel | null, options?: RequestOptions): Promise<void>;
  /** Resources that are subscribed to; what to give to the next connection to keep them. */
  subscriptions(): readonly string[];
  /**
   * Subscribes to a resource: its changes are told from then on, also over a renewed session.
   * @throws {HotplugError} As {@linkcode request}; `protocol-error` when the server tells none.
   */
  subscribe(uri: string, options?: RequestOptions): Promise<void>;
  /** Ends a subscription, if there is one. @throws {HotplugError} As {@linkcode request}. */
  unsubscribe(uri: string, options?: RequestOptions): Promise<void>;
  /** Tells the server that the host's roots have changed, where it was promised. Never rejects. */
  rootsChanged(): Promise<void>;
  /** The host as the server asks it. */
  readonly host: ServerHost;
  /** Ends it: bounded, idempotent, never rejects. Nothing of the server's process group remains. */
  close(): Promise<void>;
}

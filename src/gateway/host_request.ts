import type { FrameId } from "../connection/frames.ts";
import type { AskAsker, Asker } from "../model/forward.ts";
import type { JsonObject } from "../model/json.ts";
import type { ListKind } from "../model/listing.ts";
import type { RequestOptions } from "../model/tool.ts";
import type { Gateway } from "./gateway.ts";
import type { GatewaySession } from "./gateway_session.ts";
import type { Host } from "./host.ts";
import type { HostLogs } from "./host_logs.ts";
import type { ListenStreams } from "./listen_streams.ts";
import type { HostSubscriptions } from "./offer/host_subscriptions.ts";
import type { Offer } from "./offer.ts";
import type { RequestMeta } from "./request_meta.ts";
import type { Answer } from "./rpc.ts";

/** One request of a host, and what a method works with that needs no session. */
export interface OpeningRequest {
  /** Its id. */
  readonly id: FrameId;
  /** Its method. */
  readonly method: string;
  /** Its parameters. */
  readonly params: JsonObject;
  /** What it says about itself. */
  readonly meta: RequestMeta;
  /** Whether it is of the modern era. */
  readonly isModern: boolean;
  /** Fires when the host has cancelled it or is gone. */
  readonly signal: AbortSignal;
  /** The gateway. */
  readonly gateway: Gateway;
  /** Who asks, and what is remembered of it. */
  readonly host: Host;
}

/** One request of a host, and what its method works with. */
export interface HostRequest extends OpeningRequest {
  /** What the host says of itself. */
  readonly asker: Asker;
  /**
   * Whether a list waits for servers of which nothing is known yet. Not for another session over HTTP:
   * it may be one of these servers and wait for this list, and it hears of what comes later.
   */
  readonly waits: boolean;
  /**
   * Asks the host of this request for something, in the legacy era: a server's request, in the
   * server's words.
   */
  readonly ask: AskAsker;
  /** Sends the host a notification that belongs to this request. */
  readonly notify: (method: string, params: JsonObject) => void;
  /** Sends the host a notification that stands alone, in the legacy era. */
  readonly tell: (method: string, params: JsonObject) => void;
  /**
   * The result of this request at the server that it is for, as received; in the modern era also
   * what the server asks first. The params are in the server's words.
   * @throws {HotplugError} why there is none.
   */
  readonly forward: (server: string, params: JsonObject) => Promise<JsonObject>;
  /** Tells the host how far it has come; `undefined` when the host does not want to know. */
  readonly onProgress: RequestOptions["onProgress"];
  /** Takes a line that a server has written to its log because of this request. */
  readonly onLog: (server: string, params: JsonObject) => void;
  /** What is on offer, of a session that is open. */
  readonly offer: Offer;
  /** The session behind the offer. */
  readonly session: GatewaySession;
  /** The host's streams of changes. */
  readonly streams: ListenStreams;
  /** The resources that the host has subscribed to. */
  readonly subscriptions: HostSubscriptions;
  /** What the host gets of the servers' log messages. */
  readonly logs: HostLogs;
  /** Notes that the host was given a list: which one, and how often that has changed before. */
  readonly onListed: (kind: ListKind, version: number) => void;
}

/**
 * What a method does; `null` gives no answer now.
 * @throws {HotplugError} `aborted` when the request's signal fired; anything else is a failure here.
 */
export type Method = (request: HostRequest) => Answer | null | Promise<Answer | null>;

/** A method that opens no session. */
export type OpeningMethod = (request: OpeningRequest) => Answer | null | Promise<Answer | null>;

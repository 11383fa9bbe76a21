import type { ErrorInfo } from "../model/errors.ts";
import type { JsonObject } from "../model/json.ts";
import type { ListedItem, ListKind } from "../model/listing.ts";
import type { LoggingLevel } from "../model/log_message.ts";
import type { ProtocolEra, ServerView } from "../model/server_view.ts";
import type { RefreshOutcome, ToolSet, ToolSetDiff } from "../model/tool_set.ts";
import type { HostedOptions } from "./bridge/running_calls.ts";
import type { SessionBridge } from "./bridge/session_bridge.ts";
import type { Holder } from "./offer/subscriptions.ts";

/** A list that a gateway merges besides the tools. */
export type GatewayList = Exclude<ListKind, "tools">;

/** What a gateway needs of a session. */
export interface GatewaySession {
  /** The tools on offer now. */
  readonly toolSet: ToolSet;
  /** Why nothing could be discovered; `null` when it could. */
  readonly failure: ErrorInfo | null;
  /** The row of every server, in order. */
  servers(): readonly ServerView[];
  /** Whether a server's last start had failed, in an earlier session, and it has not come up since. */
  hasFailedBefore(server: string): boolean;
  /** The instructions of a connected server; empty when there are none. */
  instructionsOf(server: string): string;
  /** What the user's definition says that a server is for; empty when it does not say. */
  purposeOf(server: string): string;
  /** The protocol that a connected server speaks; `null` when there is no connection. */
  eraOf(server: string): ProtocolEra | null;
  /** The same, once a connection that is on its way is there. Never rejects. */
  eraWhenUp(server: string, options: { readonly signal: AbortSignal }): Promise<ProtocolEra | null>;
  /** Servers that take no part, since each host has its own. */
  ownServers(): readonly string[];
  /** What a server declares, as received; empty when there is no connection. */
  capabilitiesOf(server: string): JsonObject;
  /** What a server has listed last, or the cache knows; empty for one that does not run. */
  listed(server: string, kind: GatewayList): readonly ListedItem[];
  /**
   * Sends a request to a server in its own words, and gives the result as received: `tools/call`,
   * `resources/read`, `prompts/get` and `completion/complete`.
   * @throws {HotplugError} why there is none.
   */
  request(
    server: string,
    method: string,
    params: JsonObject,
    options: HostedOptions,
  ): Promise<JsonObject>;
  /**
   * Has a host told of a resource's changes, over all connections of its server; gives what ends that.
   * @param uri The resource, as the server knows it.
   * @throws {HotplugError} why its server does not tell of it; `aborted`.
   */
  subscribe(server: string, uri: string, holder: Holder, signal: AbortSignal): Promise<() => void>;
  /**
   * Asks a server for log lines of this level and graver ones, over all of its connections; `null`
   * for those that it writes by itself. @throws {HotplugError} what the server answers.
   */
  setLogLevel(server: string, level: LoggingLevel | null): Promise<void>;
  /** Notes the roots that a host of the modern era has named to a server. */
  learnRoots(server: string, roots: JsonObject): void;
  /** Tells all servers that asked for it that the roots of their host have changed. */
  rootsChanged(): void;
  /** Resolves when no server is on its way any more, or when the signal aborts. Never rejects. */
  settled(options: { readonly signal: AbortSignal }): Promise<void>;
  /** Ends it and all of its servers. Bounded, idempotent, never rejects. */
  close(): Promise<void>;
}

/** What a host says of itself when it opens the conversation. */
export interface HostOpening {
  /** How it calls itself; `null` when it does not say. */
  readonly clientInfo: JsonObject | null;
  /** What it can do. */
  readonly capabilities: JsonObject;
  /** Ids of the sessions around it, when it is one itself. Default: none. */
  readonly chain?: readonly string[];
}

/**
 * Which servers a session is made of: all; those that hosts share; those of which each host has its
 * own, by `share: false` of their definitions.
 */
export type SessionPart = "all" | "shared" | "own";

/** For whom a session is opened, and of what. */
export interface SessionOpening extends HostOpening {
  /** Of which servers. */
  readonly part: SessionPart;
}

/** What a session tells its gateway. */
export interface SessionEvents {
  /** What its servers ask and tell hosts, and the requests of hosts that run at them. */
  readonly bridge: SessionBridge;
  /** The tool set is another one. */
  readonly onRefresh: (toolSet: ToolSet, diff: ToolSetDiff) => Promise<RefreshOutcome>;
  /** The row of a server has changed. */
  readonly onServer: (view: ServerView) => void;
  /**
   * A server has written to its log: the params as received. What surely belongs to a request of a
   * host is told to that request alone.
   */
  readonly onLog: (server: string, params: JsonObject) => void;
}

/**
 * Opens the session behind a gateway, once its host has opened the conversation; resolves when the
 * start gate has been passed.
 */
export type OpenSession = (
  opening: SessionOpening,
  events: SessionEvents,
  signal: AbortSignal,
) => Promise<GatewaySession>;

/** What a session would be made of, before anything starts. */
export interface SessionPreview {
  /** The row of every server; one that would be started is `connecting`. */
  readonly servers: readonly ServerView[];
  /** Why nothing could be discovered; `null` when it could. */
  readonly failure: ErrorInfo | null;
}

/** A session without servers, for when none could be opened. */
export function emptySession(failure: ErrorInfo): GatewaySession {
  return {
    toolSet: { generation: 1, tools: [] },
    failure,
    servers: () => [],
    hasFailedBefore: () => false,
    instructionsOf: () => "",
    purposeOf: () => "",
    eraOf: () => null,
    eraWhenUp: () => Promise.resolve(null),
    ownServers: () => [],
    capabilitiesOf: () => ({}),
    listed: () => [],
    request: () => Promise.reject(new Error("There is no server")),
    subscribe: () => Promise.reject(new Error("There is no server")),
    setLogLevel: () => Promise.resolve(),
    learnRoots: () => {},
    rootsChanged: () => {},
    settled: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

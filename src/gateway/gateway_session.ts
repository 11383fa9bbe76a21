import type { ErrorInfo } from "../model/errors.ts";
import type { ForwardOptions } from "../model/forward.ts";
import type { JsonObject } from "../model/json.ts";
import type { ListedItem, ListKind } from "../model/listing.ts";
import type { ProtocolEra, ServerView } from "../model/server_view.ts";
import type { RefreshOutcome, ToolSet, ToolSetDiff } from "../model/tool_set.ts";

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
  /** The instructions of a connected server; empty when there are none. */
  instructionsOf(server: string): string;
  /** What the user's definition says that a server is for; empty when it does not say. */
  purposeOf(server: string): string;
  /** The protocol that a connected server speaks; `null` when there is no connection. */
  eraOf(server: string): ProtocolEra | null;
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
    options: ForwardOptions,
  ): Promise<JsonObject>;
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

/** What a session tells its gateway. */
export interface SessionEvents {
  /** The tool set is another one. */
  readonly onRefresh: (toolSet: ToolSet, diff: ToolSetDiff) => Promise<RefreshOutcome>;
  /** The row of a server has changed. */
  readonly onServer: (view: ServerView) => void;
}

/**
 * Opens the session behind a gateway, once its host has opened the conversation; resolves when the
 * start gate has been passed.
 */
export type OpenSession = (
  opening: HostOpening,
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
    instructionsOf: () => "",
    purposeOf: () => "",
    eraOf: () => null,
    capabilitiesOf: () => ({}),
    listed: () => [],
    request: () => Promise.reject(new Error("There is no server")),
    settled: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

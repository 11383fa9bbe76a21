import { HotplugError, toHotplugError } from "../../model/errors.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Logger } from "../../model/log.ts";
import type { ServerView } from "../../model/server_view.ts";
import type { RefreshOutcome, ToolSet } from "../../model/tool_set.ts";
import type { Clock } from "../../runtime/clock.ts";
import {
  emptySession,
  type GatewaySession,
  type OpenSession,
  type SessionOpening,
} from "../gateway_session.ts";
import { UnseenServers } from "../unseen_servers.ts";
import { SessionBridge, type SessionBridgeOptions } from "./session_bridge.ts";

/** What an {@linkcode OpenedSession} is made of. */
export interface OpenedSessionOptions extends SessionBridgeOptions {
  /** Opens it. */
  readonly open: OpenSession;
  /** For whom, and of what. */
  readonly opening: SessionOpening;
  /** Milliseconds that the first list waits for servers never seen before. */
  readonly limitMs: number;
  /** Told of another tool set. */
  readonly onRefresh: (toolSet: ToolSet) => Promise<RefreshOutcome>;
  /** Told of each change of a server's row. */
  readonly onServer: (view: ServerView) => void;
  /** Told of what servers write to their logs because of no request that is known. */
  readonly onLog: (server: string, params: JsonObject) => void;
  /** Ends the opening. */
  readonly signal: AbortSignal;
  /** Time. */
  readonly clock: Clock;
  /** Where oddities are written. */
  readonly log: Logger;
}

/** A session behind a gateway, and what passes between its servers and hosts. */
export class OpenedSession {
  /** What its servers ask and tell. */
  readonly bridge: SessionBridge;
  /** Waits for servers that nobody has seen before. */
  readonly unseen: UnseenServers;
  /** Resolves when its start gate has been passed. One that cannot be opened is empty. */
  readonly opened: Promise<GatewaySession>;
  #session: GatewaySession | null = null;

  /** Begins to open it. */
  constructor(options: OpenedSessionOptions) {
    this.bridge = new SessionBridge(options);
    this.unseen = new UnseenServers(() => this.#session, options.clock, options.limitMs);
    this.opened = this.#open(options);
  }

  /** The session; `null` until it is open. */
  get session(): GatewaySession | null {
    return this.#session;
  }

  /** Ends it and its servers. Bounded, idempotent, never rejects. */
  async close(): Promise<void> {
    await (await this.opened).close();
  }

  async #open(options: OpenedSessionOptions): Promise<GatewaySession> {
    const { open, opening, onRefresh, onServer, onLog, signal, log } = options;
    try {
      if (signal.aborted) throw new HotplugError("aborted", "Aborted");
      this.#session = await open(opening, {
        bridge: this.bridge,
        onRefresh,
        onServer: (view) => {
          this.unseen.changed();
          onServer(view);
        },
        onLog,
      }, signal);
    } catch (thrown) {
      const error = toHotplugError(thrown, "discovery-failed").toInfo();
      if (!signal.aborted) log.log("error", "Cannot open a session", { error: error.message });
      this.#session = emptySession(error);
    }
    return this.#session;
  }
}

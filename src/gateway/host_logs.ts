import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { LoggingLevel } from "../model/log_message.ts";
import type { HostRequest } from "./host_request.ts";
import { isAsGrave, type LogLevels } from "./log_levels.ts";
import { SERVER_KEY } from "./offered_tool.ts";

/** Most messages that are kept for a host that is not ready to hear them. */
const MOST_EARLY = 500;

/** Most characters of them. */
const MOST_EARLY_SIZE = 1_048_576;

/** What a host without a level of its own gets once others have asked for more. */
const USUAL: LoggingLevel = "info";

/** Sends the params of a log message. */
type Tell = (params: JsonObject) => void;

/** A request of the modern era that runs. */
interface Running {
  readonly server: string;
  readonly level: LoggingLevel;
  readonly tell: Tell;
}

/** The request of a host that a message belongs to. */
type LoggedFor = Pick<HostRequest, "isModern" | "meta" | "notify">;

/** What {@linkcode HostLogs} work with. */
export interface HostLogsOptions {
  /** What the host has asked for, in the legacy era; `null` for nothing yet. */
  readonly level: () => LoggingLevel | null;
  /** What servers were asked for. */
  readonly levels: LogLevels;
  /** Sends a message that stands alone. */
  readonly tell: Tell;
}

/**
 * The log messages of servers, as one host gets them. One of the legacy era gets those of the level
 * that it has asked for, and before it has asked for any, what servers write by themselves. One of
 * the modern era gets what the server of a request writes while the request runs, if it wants that.
 */
export class HostLogs {
  readonly #options: HostLogsOptions;
  readonly #running = new Set<Running>();
  /** What came before the host was ready; `null` once it is, or is no host that will be. */
  #early: JsonObject[] | null = [];
  #earlySize = 0;
  #isReady = false;

  /** The host is not ready yet. */
  constructor(options: HostLogsOptions) {
    this.#options = options;
  }

  /** Takes a message of a server that belongs to a request of this host. */
  loggedFor({ isModern, meta, notify }: LoggedFor, server: string, given: JsonObject): void {
    const params = withServer(server, given);
    const tell: Tell = (line) => notify("notifications/message", line);
    if (!isModern) return this.#take(params, tell);
    if (meta.logLevel !== null && isAsGrave(params["level"], meta.logLevel)) tell(params);
  }

  /** Takes a message of a server that belongs to no request that is known. */
  logged(server: string, given: JsonObject): void {
    const params = withServer(server, given);
    for (const running of [...this.#running]) {
      if (running.server === server && isAsGrave(params["level"], running.level)) {
        running.tell(params);
      }
    }
    this.#take(params);
  }

  /** Notes that the host, of the legacy era, has finished its initialisation: it gets what was kept. */
  ready(): void {
    if (this.#isReady) return;
    this.#isReady = true;
    const early = this.#early ?? [];
    this.#early = null;
    for (const params of early) this.#give(params);
  }

  /** Notes that the host is of the modern era, which gets nothing unasked. */
  unasked(): void {
    this.#early = null;
  }

  /** Gives a request what its server writes, until the end that it gives back is called. */
  during(server: string, level: LoggingLevel, tell: Tell): () => void {
    const running: Running = { server, level, tell };
    this.#running.add(running);
    return () => void this.#running.delete(running);
  }

  #take(params: JsonObject, tell?: Tell): void {
    if (this.#isReady) this.#give(params, tell);
    else this.#keep(params);
  }

  #give(params: JsonObject, tell: Tell = this.#options.tell): void {
    const { level, levels } = this.#options;
    const wanted = level() ?? (levels.wasAsked ? USUAL : null);
    if (wanted === null || isAsGrave(params["level"], wanted)) tell(params);
  }

  #keep(params: JsonObject): void {
    if (this.#early === null || this.#early.length >= MOST_EARLY) return;
    this.#earlySize += JSON.stringify(params).length;
    if (this.#earlySize <= MOST_EARLY_SIZE) this.#early.push(params);
  }
}

/** Says which server writes: `_meta` tells it in any case, `logger` where the server leaves it open. */
function withServer(server: string, params: JsonObject): JsonObject {
  const own = isJsonObject(params["_meta"]) ? params["_meta"] : {};
  const { logger } = params;
  return {
    ...params,
    ...(logger === undefined || logger === null ? { logger: server } : {}),
    _meta: { ...own, [SERVER_KEY]: server },
  };
}

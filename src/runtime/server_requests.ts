import { ping } from "../connection/calls.ts";
import type { MCPServerConnection } from "../model/connection.ts";
import type { LoggingLevel } from "../model/log_message.ts";
import type { RequestOptions } from "../model/tool.ts";
import type { LastingWishes } from "./lasting_wishes.ts";

/** What {@linkcode ServerRequests} goes through. */
export interface ServerRequestsParts {
  /** A server's connection, if it may be used. @throws {HotplugError} why there is none. */
  readonly connection: (
    server: string,
    signal: AbortSignal | undefined,
  ) => Promise<MCPServerConnection>;
  /** The connections that are up. */
  readonly up: () => Iterable<MCPServerConnection>;
  /** What is told to every later connection too. */
  readonly wishes: LastingWishes;
}

/** What a manager asks of its servers besides their lists and calls. */
export class ServerRequests {
  readonly #parts: ServerRequestsParts;

  /** Asks over the connections that are there at the time of each request. */
  constructor(parts: ServerRequestsParts) {
    this.#parts = parts;
  }

  /** Asks a server whether it is there; gives how many milliseconds it took. */
  async ping(server: string, options: RequestOptions = {}): Promise<number> {
    return await ping(await this.#parts.connection(server, options.signal), options);
  }

  /**
   * Subscribes to a resource, over this connection and all later ones. A server that refuses is not
   * asked again.
   */
  async subscribe(server: string, uri: string, options: RequestOptions = {}): Promise<void> {
    const connection = await this.#parts.connection(server, options.signal);
    await connection.subscribe(uri, options);
    this.#parts.wishes.subscribe(server, uri);
  }

  /** Ends a subscription; also that of a server that is away. */
  async unsubscribe(server: string, uri: string, options: RequestOptions = {}): Promise<void> {
    this.#parts.wishes.unsubscribe(server, uri);
    for (const connection of this.#parts.up()) {
      if (connection.name === server) await connection.unsubscribe(uri, options);
    }
  }

  /** Sets the log level of one server, over this connection and all later ones. */
  async setLogLevel(
    server: string,
    level: LoggingLevel | null,
    options: RequestOptions = {},
  ): Promise<void> {
    this.#parts.wishes.setLogLevel(server, level);
    for (const connection of this.#parts.up()) {
      if (connection.name === server) await connection.setLogLevel(level, options);
    }
  }

  /** Tells all servers but one that the host's roots have changed. Never rejects. */
  async rootsChanged(except: string | null): Promise<void> {
    const others = [...this.#parts.up()].filter(({ name }) => name !== except);
    await Promise.all(others.map((connection) => connection.rootsChanged()));
  }
}

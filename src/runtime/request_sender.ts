import { callTimeout } from "../definitions/timeouts.ts";
import { unlessAborted } from "../model/abort.ts";
import type { MCPServerConnection } from "../model/connection.ts";
import { HotplugError } from "../model/errors.ts";
import type { ToolInfo } from "../model/listing.ts";
import type { RequestOptions } from "../model/tool.ts";
import { CallTime } from "./call_time.ts";
import type { Clock } from "./clock.ts";
import {
  isConnectionFailure,
  isRepeatable,
  outcomeUnknown,
  wasNotProcessed,
} from "./repeat_rule.ts";
import type { ServerRegistries } from "./server_registries.ts";
import type { OperationSpan, Telemetry } from "./telemetry.ts";
import type { UsableConnections } from "./usable_connections.ts";

/** One request to a server. */
export interface ServerRequest<Result, Options extends RequestOptions> {
  /** The server's name. */
  readonly server: string;
  /** Its method. */
  readonly method: string;
  /** The tool that it calls; `null` for a request that changes nothing. */
  readonly tool: ToolInfo | null;
  /** What it names, and the arguments for that. */
  readonly target?: { readonly name: string; readonly args: Readonly<Record<string, unknown>> };
  /** Signal, time-out and all that it is sent with. */
  readonly options: Options;
  /** Its time, when that has begun already. */
  readonly time?: CallTime | undefined;
  /** Sends it over one connection. */
  readonly send: (connection: MCPServerConnection, options: Options) => Promise<Result>;
}

/** What requests go through. */
export interface RequestSenderParts {
  /** What is registered of each server. */
  readonly registries: ServerRegistries;
  /** The connections that may be used. */
  readonly usable: UsableConnections;
  /** Whether a lost server comes back by itself, so that waiting for it makes sense. */
  readonly autoReconnect: boolean;
  /** Time. */
  readonly clock: Clock;
  /** Makes a span of each request. */
  readonly telemetry: Telemetry;
}

/**
 * Sends requests to servers. One waits for a connection that is on its way, and brings back a lost
 * one. When the connection is lost under a request, it waits once for the next one and is repeated if
 * that can do no harm. As long as it is under way, its connection counts as in use.
 */
export class RequestSender {
  readonly #parts: RequestSenderParts;

  /** Sends over the connections that are registered at the time of each request. */
  constructor(parts: RequestSenderParts) {
    this.#parts = parts;
  }

  /** Sends a request in a span, however often it takes. */
  send<Result, Options extends RequestOptions>(
    request: ServerRequest<Result, Options>,
    isToolError?: (result: Result) => boolean,
  ): Promise<Result> {
    const { server, method, target, options: { meta } } = request;
    const operation = { method, server, target: target?.name, args: target?.args, meta };
    return this.#parts.telemetry.around(
      operation,
      (span) => this.#sendIn(span, request),
      isToolError,
    );
  }

  async #sendIn<Result, Options extends RequestOptions>(
    span: OperationSpan,
    request: ServerRequest<Result, Options>,
  ): Promise<Result> {
    const { server, tool, options, send } = request;
    const { autoReconnect, clock, registries } = this.#parts;
    const time = request.time ?? new CallTime(clock, options.timeout);
    const meta = { ...options.meta, ...span.meta };
    const ready = async (): Promise<MCPServerConnection> => {
      const connection = await time.within(server, this.#parts.usable.get(server, options.signal));
      span.over(connection);
      return connection;
    };
    const left = (): Options => ({
      ...options,
      ...this.#limit(server),
      meta,
      ...time.rest(),
    });
    const sent = (over: MCPServerConnection): Promise<Result> =>
      registries.inFlight.over(over, () => send(over, left()));
    const connection = await ready();
    try {
      return await sent(connection);
    } catch (thrown) {
      if (!autoReconnect || !isConnectionFailure(thrown)) {
        if (autoReconnect && castsDoubt(thrown)) void connection.confirm();
        throw thrown;
      }
      // Its end is noted by its holder a turn later than it is known here.
      const noted = connection.confirm().then((isUp) => isUp ? null : connection.closed);
      if (tool !== null && !isRepeatable(tool) && !wasNotProcessed(thrown)) {
        throw outcomeUnknown(server, tool.name, thrown);
      }
      await time.within(server, unlessAborted(noted, options.signal));
    }
    const next = await ready();
    try {
      return await sent(next);
    } catch (thrown) {
      if (tool === null || isRepeatable(tool) || !isConnectionFailure(thrown)) throw thrown;
      throw wasNotProcessed(thrown) ? thrown : outcomeUnknown(server, tool.name, thrown);
    }
  }

  /** The time limit of the definition as it is now; its connection may be older. */
  #limit(server: string): Pick<RequestOptions, "timeout"> {
    const config = this.#parts.registries.rows.get(server)?.config;
    return config === undefined ? {} : { timeout: callTimeout(config) };
  }
}

/**
 * Whether a failure may mean that the whole connection is of no more use: a remote server that has
 * gone silent does not say so by itself, and one that refuses a request may refuse all.
 */
function castsDoubt(thrown: unknown): boolean {
  return thrown instanceof HotplugError &&
    ["request-timeout", "needs-auth", "unauthorized"].includes(thrown.code);
}

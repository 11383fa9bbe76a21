import type { AuthProvider } from "../model/auth.ts";
import type { MCPServerConnection, ServerNotification } from "../model/connection.ts";
import type { ResolvedConfig } from "../model/definition.ts";
import { HotplugError } from "../model/errors.ts";
import type { JsonObject } from "../model/json.ts";
import { type Logger, silentLogger } from "../model/log.ts";
import type { Machine } from "../model/machine.ts";
import type { ProtocolEra } from "../model/server_view.ts";
import { connectHttp } from "./connect_http.ts";
import { connectStdio } from "./connect_stdio.ts";
import { masker } from "./masking.ts";
import { abortedError } from "./pending_requests.ts";
import { StartClock } from "./start_clock.ts";

/** What {@linkcode connectToServer} takes. */
export interface ConnectOptions {
  /** Aborting it ends the attempt. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for start and handshake. */
  readonly timeout: number;
  /** Milliseconds for one request without progress. */
  readonly callTimeout: number;
  /** The whole environment of a stdio server. */
  readonly environment: Readonly<Record<string, string>>;
  /** The machine that it is started on. */
  readonly machine: Machine;
  /** Texts that must not be shown. */
  readonly secrets?: readonly string[] | undefined;
  /** What we say we can do. Default: nothing. */
  readonly capabilities?: JsonObject | undefined;
  /** Who we say we are. */
  readonly clientInfo?: { readonly name: string; readonly version: string } | undefined;
  /** Gives the token of a remote server. */
  readonly authProvider?: AuthProvider | undefined;
  /** The protocol agreed on the last time, to save a question. */
  readonly knownProtocol?:
    | { readonly era: ProtocolEra; readonly version: string }
    | null
    | undefined;
  /** Where oddities are written. Default: nowhere. */
  readonly log?: Logger | undefined;
  /** Gets the server's notifications, from the first moment on. */
  readonly onNotification?: ((notification: ServerNotification) => void) | undefined;
  /** Gets every line of stderr, with known secrets replaced. */
  readonly onStderr?: ((line: string) => void) | undefined;
}

/** {@linkcode ConnectOptions} with its defaults filled in, and the clock of the start. */
export interface ConnectContext extends ConnectOptions {
  /** Name of the server. */
  readonly name: string;
  /** What it is started or reached with. */
  readonly config: ResolvedConfig;
  /** The time that is left. */
  readonly clock: StartClock;
  /** Replaces known secrets. */
  readonly mask: (text: string) => string;
  /** What we say we can do. */
  readonly capabilities: JsonObject;
  /** Who we say we are. */
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** Where oddities are written. */
  readonly log: Logger;
}

/**
 * Starts or reaches one server and shakes hands with it. When it rejects, nothing is left behind:
 * no process, no open connection.
 *
 * @param config With `cwd` absolute.
 * @throws {HotplugError} `aborted`, `start-timeout`, `program-not-found`, `server-exited`,
 * `handshake-failed`, `server-unreachable`, `needs-auth`, `unauthorized`, `config-invalid`,
 * `connection-closed`, `message-too-large`.
 */
export async function connectToServer(
  name: string,
  config: ResolvedConfig,
  options: ConnectOptions,
): Promise<MCPServerConnection> {
  if (options.signal?.aborted === true) throw abortedError(options.signal);
  const isStdio = config.type === "stdio" ||
    (config.type === undefined && config.url === undefined);
  if (isStdio ? config.command === undefined : config.url === undefined) {
    throw new HotplugError(
      "config-invalid",
      isStdio
        ? "stdio transport requires command"
        : `${config.type ?? "streamable_http"} transport requires url`,
    );
  }
  const clock = new StartClock(options.timeout, options.signal);
  const context: ConnectContext = {
    ...options,
    name,
    config,
    clock,
    mask: masker(options.secrets ?? []),
    capabilities: options.capabilities ?? {},
    clientInfo: options.clientInfo ?? { name: "hotplug", version: "0.1.0" },
    log: options.log ?? silentLogger,
  };
  try {
    return await (isStdio ? connectStdio(context) : connectHttp(context));
  } finally {
    clock.stop();
  }
}

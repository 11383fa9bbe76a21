import type { AuthProvider } from "../model/auth.ts";
import type { ServerNotification } from "../model/connection.ts";
import type { ResolvedConfig } from "../model/definition.ts";
import type { HostHandlers } from "../model/host_handlers.ts";
import type { JsonObject } from "../model/json.ts";
import type { Logger } from "../model/log.ts";
import type { Machine } from "../model/machine.ts";
import type { ProtocolEra } from "../model/server_view.ts";
import type { LoggingLevel, LogMessage } from "../model/log_message.ts";
import type { HostSide } from "./host_side.ts";
import type { WireTrace } from "../model/wire_trace.ts";
import type { StartClock } from "./start_clock.ts";
import type { Timers } from "./timers.ts";

/** What `connectToServer()` takes. */
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
  /** Where a running stdio server is recorded. Default: in the machine's folder for our state. */
  readonly records?: string | undefined;
  /** Texts that must not be shown. */
  readonly secrets?: readonly string[] | undefined;
  /** Ids of the sessions around the server, the own one last: it is told them. Default: none. */
  readonly chain?: readonly string[] | undefined;
  /** What the host can do for the server. Default: nothing. */
  readonly handlers?: HostHandlers | undefined;
  /** What we say we can do beyond what the handlers show. Default: nothing. */
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
  /** Gets the server's log (`notifications/message`). */
  readonly onLogMessage?: ((log: LogMessage) => void) | undefined;
  /** Least grave log lines to ask for. Default: what the server sends by itself. */
  readonly logLevel?: LoggingLevel | null | undefined;
  /** Resources to subscribe to as soon as the connection stands. Default: none. */
  readonly subscriptions?: readonly string[] | undefined;
  /** Told of each change of a resource that is subscribed to. */
  readonly onResourceUpdated?: ((uri: string) => void) | undefined;
  /** Gets every message in both directions, with known secrets replaced. Default: nobody. */
  readonly trace?: WireTrace | undefined;
  /** The clock of the streams of a remote server. Default: the machine's. */
  readonly timers?: Timers | undefined;
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
  /** The host as the server sees it. */
  readonly host: HostSide;
  /** Where oddities are written. */
  readonly log: Logger;
}

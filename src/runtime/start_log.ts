import { stderrLevel } from "../connection/stderr_ring.ts";
import { shownUrl, textMasker } from "../definitions/secrets.ts";
import type { MCPServerConnection, ServerNotification } from "../model/connection.ts";
import type { ResolvedConfig } from "../model/definition.ts";
import { type HotplugError, toHotplugError } from "../model/errors.ts";
import type { JsonValue } from "../model/json.ts";
import type { LogLevel } from "../model/log.ts";
import type { LogStream, ServerLog } from "../model/server_log.ts";
import { cutMessage } from "../platform/log_line.ts";

/** The protocol's levels, of syslog, as ours. */
const LEVELS: ReadonlyMap<string, LogLevel> = new Map([
  ["debug", "debug"],
  ["info", "info"],
  ["notice", "info"],
  ["warning", "warn"],
  ["error", "error"],
  ["critical", "error"],
  ["alert", "error"],
  ["emergency", "error"],
]);

/**
 * Writes into a server's log what happens in one attempt to start it and in the life of its
 * connection. Nothing of it throws.
 */
export class StartLog {
  readonly #log: ServerLog | null;
  readonly #onClosing: (closed: Promise<void>) => void;
  #mask: (text: string) => string = (text) => text;

  /**
   * Writes to a log, or nowhere.
   * @param onClosing Gets, at the end, the promise that all is kept.
   */
  constructor(log: ServerLog | null, onClosing: (closed: Promise<void>) => void = () => {}) {
    this.#log = log;
    this.#onClosing = onClosing;
  }

  /** Notes that a server is being started or reached, and what must not be written from now on. */
  starting(config: ResolvedConfig, secrets: readonly string[]): void {
    if (this.#log === null) return;
    this.#mask = textMasker(secrets);
    const what = config.command ?? shownUrl(config.url ?? "");
    this.#write("info", "hotplug", this.#mask(`Starting ${what}`));
  }

  /** Takes a line of stderr, secrets replaced. */
  stderr(line: string): void {
    this.#write(stderrLevel(line), "stderr", line);
  }

  /** Takes a notification: log messages of the server are written, others are not. */
  notification(notification: ServerNotification): void {
    if (this.#log === null) return;
    const message = serverMessage(notification);
    if (message !== null) this.#write(message.level, "server", this.#mask(message.text));
  }

  /** Notes that the handshake is done, and later the end of the connection. */
  connected(connection: MCPServerConnection): void {
    if (this.#log === null) return;
    const { server, protocol, pid } = connection;
    const who = server.name === "" ? "" : ` to ${server.name} ${server.version}`.trimEnd();
    const process = pid === null ? "" : `, process ${pid}`;
    this.#write(
      "info",
      "hotplug",
      this.#mask(`Connected${who} (${protocol.era} ${protocol.version}${process})`),
    );
    void connection.closed.then((error) => this.#ended(error));
  }

  /** Notes what went wrong while it is connected. */
  problem(thrown: unknown): void {
    const { code, message } = toHotplugError(thrown);
    const level = code === "aborted" ? "info" : "error";
    this.#write(level, "hotplug", this.#mask(`${message} (${code})`));
  }

  /** Notes that there is no connection, and closes the log. */
  failed(thrown: unknown): void {
    this.problem(thrown);
    this.#close();
  }

  #ended(error: HotplugError | null): void {
    if (error === null) this.#write("info", "hotplug", "Closed");
    else this.problem(error);
    this.#close();
  }

  /** A host's own log may throw, which must cost no server. */
  #write(level: LogLevel, stream: LogStream, message: string): void {
    try {
      this.#log?.write(level, stream, message);
    } catch {
      // There is nowhere to tell it.
    }
  }

  #close(): void {
    const log = this.#log;
    if (log !== null) this.#onClosing(Promise.resolve().then(() => log.close()));
  }
}

/** What a log notification says; `null` for every other one. */
export function serverMessage(
  { method, params }: ServerNotification,
): { readonly level: LogLevel; readonly text: string } | null {
  if (method !== "notifications/message") return null;
  const { level, logger, data } = params;
  const text = cutMessage(dataText(data));
  return {
    level: LEVELS.get(typeof level === "string" ? level : "") ?? "info",
    text: typeof logger === "string" && logger !== "" ? `${logger}: ${text}` : text,
  };
}

function dataText(data: JsonValue | undefined): string {
  if (typeof data === "string") return data;
  return data === undefined ? "" : JSON.stringify(data);
}

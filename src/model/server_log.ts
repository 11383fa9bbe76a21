import type { LogLevel } from "./log.ts";

/**
 * Who wrote a line: the server on its `stderr`, the `server` in a log notification of the protocol,
 * or `hotplug` about the life of the connection.
 */
export type LogStream = "stderr" | "server" | "hotplug";

/** One line of a server's log. */
export interface LogLine {
  /** When it was written, in UTC as ISO 8601 with milliseconds. */
  readonly time: string;
  /** How grave it is. */
  readonly level: LogLevel;
  /** Who wrote it. */
  readonly stream: LogStream;
  /** Process id of the host that kept it, so that two runs at once can be told apart. */
  readonly pid: number;
  /** Name of the server. */
  readonly server: string;
  /** Root of the workspace that it ran for. */
  readonly workspace: string;
  /** The text, known secrets replaced. */
  readonly message: string;
}

/** The log of one run of one server. Neither of its methods throws. */
export interface ServerLog {
  /** Takes one line at once; what comes after `close()` is dropped. It must hold no secret. */
  write(level: LogLevel, stream: LogStream, message: string): void;
  /** Resolves when what was written so far is kept, or cannot be. Bounded, idempotent. */
  close(): Promise<void>;
}

/** Whose log it is. */
export interface LoggedServer {
  /** Name of the server. */
  readonly server: string;
  /** Root of the workspace that it runs for. */
  readonly workspace: string;
}

/** Where the logs of servers are kept. */
export interface ServerLogs {
  /** The log of a run that begins. Never throws. */
  open(server: LoggedServer): ServerLog;
}

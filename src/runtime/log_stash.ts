import type { LogMessage } from "../model/log_message.ts";
import type { TellHost } from "./tell_host.ts";

/** Log lines kept while nobody listens: 500, the newest. */
export const MOST_LOGS: number = 500;

/** Log lines that were kept until somebody wanted them. */
export interface StashedLogs {
  /** The lines, oldest first. */
  readonly logs: readonly LogMessage[];
  /** How many older ones were dropped. */
  readonly dropped: number;
}

/** Gets a server's log lines. */
export type LogListener = (log: LogMessage) => void;

/**
 * The log lines of all servers: given on to the host's listener, and kept while there is none, at
 * most {@linkcode MOST_LOGS} of them.
 */
export class LogStash {
  readonly #tell: TellHost;
  #listener: LogListener | null = null;
  #logs: LogMessage[] = [];
  #dropped = 0;

  /** Empty. `tell` calls the listener. */
  constructor(listener: LogListener | undefined, tell: TellHost) {
    this.#tell = tell;
    this.#listener = listener ?? null;
  }

  /** Takes a line. */
  add(log: LogMessage): void {
    if (this.#listener !== null) return this.#give(this.#listener, log);
    this.#logs.push(log);
    // Cut in one go, since each cut moves all.
    if (this.#logs.length >= MOST_LOGS * 2) this.#cut();
  }

  /** Gives what was kept, and keeps it no longer. */
  take(): StashedLogs {
    this.#cut();
    const taken = { logs: this.#logs, dropped: this.#dropped };
    this.#logs = [];
    this.#dropped = 0;
    return taken;
  }

  /**
   * Lets a listener have all lines from now on, first those that were kept; `null` keeps them
   * again. Gives how many older ones were dropped.
   */
  listen(listener: LogListener | null): number {
    this.#listener = listener;
    if (listener === null) return 0;
    const { logs, dropped } = this.take();
    for (const log of logs) this.#give(listener, log);
    return dropped;
  }

  #cut(): void {
    const over = Math.max(0, this.#logs.length - MOST_LOGS);
    this.#logs = this.#logs.slice(over);
    this.#dropped += over;
  }

  #give(listener: LogListener, log: LogMessage): void {
    this.#tell(() => listener(log));
  }
}

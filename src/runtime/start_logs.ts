import type { ServerLog, ServerLogs } from "../model/server_log.ts";
import { StartLog } from "./start_log.ts";

/** The logs of a manager's servers: one for each attempt, until its connection has ended. */
export class StartLogs {
  readonly #logs: ServerLogs | null;
  readonly #workspace: string;
  /** Logs that have ended and are still being written, by server. */
  readonly #closing = new Map<string, Set<Promise<void>>>();

  /** Keeps logs in the given place, or nowhere. */
  constructor(logs: ServerLogs | null, workspace: string) {
    this.#logs = logs;
    this.#workspace = workspace;
  }

  /** The log of an attempt that begins. */
  open(server: string): StartLog {
    return new StartLog(this.#opened(server), (closed) => this.#count(server, closed));
  }

  /** Resolves when the ended logs of a server are kept. Bounded, never rejects. */
  async kept(server: string): Promise<void> {
    await Promise.allSettled(this.#closing.get(server) ?? []);
  }

  #opened(server: string): ServerLog | null {
    try {
      return this.#logs?.open({ server, workspace: this.#workspace }) ?? null;
    } catch {
      // A host's own logs that fail cost no server.
      return null;
    }
  }

  #count(server: string, closed: Promise<void>): void {
    const closing = this.#closing.get(server) ?? new Set();
    this.#closing.set(server, closing.add(closed));
    const done = (): void => {
      closing.delete(closed);
      if (closing.size === 0 && this.#closing.get(server) === closing) this.#closing.delete(server);
    };
    closed.then(done, done);
  }
}

import process from "node:process";
import { clearTimeout, setTimeout } from "node:timers";
import { join } from "node:path";

import type { LogLevel } from "../model/log.ts";
import type { LoggedServer, LogStream, ServerLog, ServerLogs } from "../model/server_log.ts";
import { errnoText } from "./errno.ts";
import { batchText } from "./log_batch.ts";
import { batchDelay, type LogBatch, LogQueue } from "./log_queue.ts";

/** Milliseconds that `close()` waits for a slow disk. */
const CLOSE_MS = 1_000;

/** How {@linkcode fileServerLogs} works. */
export interface FileServerLogsOptions {
  /** Called once, when a log cannot be written, with the reason in words. Default: nothing. */
  readonly onFailure?: (reason: string) => void;
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * Logs of servers as files of JSON lines in a folder, one per server and workspace: at most three
 * of 1 MiB each, the newest lines kept. Lines are written in the background, five times a second
 * at most, and never more than 512 KiB at once: of a server that writes faster the newest lines
 * are kept, and a line says how many were left out. What cannot be written costs one warning.
 */
export function fileServerLogs(folder: string, options: FileServerLogsOptions = {}): ServerLogs {
  let isTold = false;
  const onFailure = (reason: string): void => {
    if (isTold) return;
    isTold = true;
    options.onFailure?.(reason);
  };
  const now = options.now ?? Date.now;
  return { open: (server) => new FileServerLog(folder, server, { onFailure, now }) };
}

/** One run's lines on their way to the file. */
class FileServerLog implements ServerLog {
  readonly #folder: string;
  readonly #of: LoggedServer;
  readonly #options: Required<FileServerLogsOptions>;
  readonly #queue = new LogQueue();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #writing: Promise<void> = Promise.resolve();
  #isWriting = false;
  #lastFailed = false;
  #isClosed = false;

  constructor(folder: string, of: LoggedServer, options: Required<FileServerLogsOptions>) {
    this.#folder = folder;
    this.#of = of;
    this.#options = options;
  }

  write(level: LogLevel, stream: LogStream, message: string): void {
    if (this.#isClosed) return;
    this.#queue.add({ at: this.#options.now(), level, stream, message });
    this.#schedule();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (!this.#queue.isEmpty) this.#flush();
    let late: ReturnType<typeof setTimeout> | undefined;
    const given = new Promise<void>((resolve) => late = setTimeout(resolve, CLOSE_MS));
    await Promise.race([this.#writing, given]);
    clearTimeout(late);
  }

  #schedule(): void {
    if (this.#timer !== null || this.#isWriting) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#flush();
    }, batchDelay(this.#lastFailed));
    // Lines that wait are no reason for a host to live on.
    this.#timer.unref();
  }

  #flush(): void {
    this.#writing = this.#writing.then(() => this.#writeBatch(this.#queue.take()));
  }

  /** Never rejects. */
  async #writeBatch(batch: LogBatch): Promise<void> {
    this.#isWriting = true;
    try {
      // Loaded here: a server that says nothing needs none of it.
      const [{ appendLog }, { logFileName }] = await Promise.all([
        import("./log_file.ts"),
        import("./log_place.ts"),
      ]);
      const path = join(this.#folder, logFileName(this.#of));
      const now = this.#options.now();
      const text = batchText(batch, { pid: process.pid, ...this.#of }, now);
      // Of the batch that failed a part may stand there, without the end of its last line.
      await appendLog(path, this.#lastFailed ? `\n${text}` : text, now);
      this.#lastFailed = false;
    } catch (thrown) {
      this.#queue.lost(batch);
      this.#lastFailed = true;
      this.#tellFailure(thrown);
    } finally {
      this.#isWriting = false;
    }
    if (!this.#isClosed && !this.#queue.isEmpty) this.#schedule();
  }

  #tellFailure(thrown: unknown): void {
    try {
      this.#options.onFailure(errnoText(thrown));
    } catch {
      // Whoever is told must not stop what it is told of.
    }
  }
}

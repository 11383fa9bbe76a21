import type { LogLevel } from "../model/log.ts";
import type { LogStream } from "../model/server_log.ts";

/** Characters of messages that wait for being written: 512 Ki. Beyond it the oldest ones go. */
export const MAX_QUEUED: number = 512 * 1024;

/** Characters that a line counts beside its message: its other fields. */
const LINE_SIZE = 160;

/** A line that waits. */
export interface QueuedLine {
  /** When it came, in milliseconds since 1970. */
  readonly at: number;
  /** How grave it is. */
  readonly level: LogLevel;
  /** Who wrote it. */
  readonly stream: LogStream;
  /** Its text. */
  readonly message: string;
}

/** What is written at one time. */
export interface LogBatch {
  /** The lines, oldest first. */
  readonly lines: readonly QueuedLine[];
  /** How many lines before them were dropped. */
  readonly dropped: number;
}

/** Lines that wait for being written, in bounded memory: the newest stay, the others are counted. */
export class LogQueue {
  readonly #capacity: number;
  #lines: QueuedLine[] = [];
  #first = 0;
  #size = 0;
  #dropped = 0;

  /** An empty queue of so many characters. */
  constructor(capacity: number = MAX_QUEUED) {
    this.#capacity = capacity;
  }

  /** Whether nothing waits. */
  get isEmpty(): boolean {
    return this.#first === this.#lines.length && this.#dropped === 0;
  }

  /** Adds a line; the oldest ones go when there is no room. */
  add(line: QueuedLine): void {
    this.#lines.push(line);
    this.#size += sizeOf(line);
    while (this.#size > this.#capacity && this.#first < this.#lines.length - 1) {
      const oldest = this.#lines[this.#first++];
      this.#size -= oldest === undefined ? 0 : sizeOf(oldest);
      this.#dropped++;
    }
    if (this.#first > 1024 && this.#first > this.#lines.length / 2) {
      this.#lines = this.#lines.slice(this.#first);
      this.#first = 0;
    }
  }

  /** Takes all that waits. */
  take(): LogBatch {
    const batch = { lines: this.#lines.slice(this.#first), dropped: this.#dropped };
    this.#lines = [];
    this.#first = 0;
    this.#size = 0;
    this.#dropped = 0;
    return batch;
  }

  /** Counts lines that were taken and could not be written. */
  lost({ lines, dropped }: LogBatch): void {
    this.#dropped += lines.length + dropped;
  }
}

function sizeOf({ message }: QueuedLine): number {
  return message.length + LINE_SIZE;
}

/** Milliseconds that lines wait for others to be written with. */
export const BATCH_MS = 200;

/** Milliseconds until the next try after a batch could not be written, as on a full disk. */
export const RETRY_MS = 30_000;

/** When a batch is written, in milliseconds from its first line. */
export function batchDelay(lastFailed: boolean): number {
  return lastFailed ? RETRY_MS : BATCH_MS;
}

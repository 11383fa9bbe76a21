import { errnoOf } from "../platform/errno.ts";

/** Bytes that every pipe takes all or none of (`_POSIX_PIPE_BUF`). */
const WHOLE_BYTES = 512;

/** Most bytes that one character is in UTF-8, counted by JavaScript's length. */
const BYTES_PER_UNIT = 3;

/** What text is written into: a stream of Node. */
export interface TextTarget {
  /** Whether it has ended, so that nothing more is written. */
  readonly destroyed?: boolean;
  /** Writes a text, and calls back when the system has taken it, or with why it could not. */
  write(text: string, done: (error?: Error | null) => void): unknown;
}

/** Why a text was not written, as far as is known. */
export class WriteFailure extends Error {
  /** Whether surely no whole line of it was taken. */
  readonly isSure: boolean;

  /** A failure with its cause. */
  constructor(cause: unknown, isSure: boolean) {
    super("Cannot write", { cause });
    this.isSure = isSure;
  }
}

/** Writes the lines of one turn in one piece: many at a time cost little more than one. */
export class JoinedWrites {
  readonly #target: TextTarget;
  #texts: string[] = [];
  #size = 0;
  #written: Promise<void> | null = null;

  /** Nothing waits. */
  constructor(target: TextTarget) {
    this.#target = target;
  }

  /** Characters that wait for the end of the turn. */
  get size(): number {
    return this.#size;
  }

  /**
   * Writes a line after all before it; resolves when the system has taken it.
   * @throws {WriteFailure} when it has not, or that cannot be told.
   */
  write(line: string): Promise<void> {
    this.#texts.push(line);
    this.#size += line.length;
    this.#written ??= this.#writeAll();
    return this.#written;
  }

  async #writeAll(): Promise<void> {
    await Promise.resolve();
    const lines = this.#texts.length;
    const text = lines === 1 ? this.#texts[0] ?? "" : this.#texts.join("");
    this.#texts = [];
    this.#size = 0;
    this.#written = null;
    const wasOpen = this.#target.destroyed !== true;
    await new Promise<void>((resolve, reject) => {
      this.#target.write(text, (error) => {
        if (error === null || error === undefined) return resolve();
        reject(new WriteFailure(error, !wasOpen || isNothingTaken(error, text, lines)));
      });
    });
  }
}

/**
 * Whether a failed write surely gave the reader no whole line. The system refuses what nobody reads;
 * of a piece of several lines it may have taken the first ones before. A stream that ended meanwhile
 * knows nothing of what the system took.
 */
function isNothingTaken(error: Error, text: string, lines: number): boolean {
  return errnoOf(error) === "EPIPE" &&
    (lines === 1 || text.length * BYTES_PER_UNIT <= WHOLE_BYTES);
}

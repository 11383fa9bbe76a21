import { LineBuffer } from "../connection/line_buffer.ts";
import type { JsonObject } from "../model/json.ts";
import { messageText } from "./message_text.ts";

/** Longest message of a host in bytes, as long as one of a server may be. */
const LONGEST_MESSAGE = 64 * 1024 * 1024;

/** Most characters that wait for a host which does not read. */
const MOST_WAITING = 256 * 1024 * 1024;

/** Characters that wait for a host from which on it is behind. */
const MANY_WAITING = 4 * 1024 * 1024;

/** Milliseconds that the end waits for a host to take what was written. */
const FLUSH_MS = 1_000;

/** What a host writes into. */
export interface HostInput {
  /** Listens for bytes, for the end, and for what breaks it. */
  on(event: "data" | "end" | "close" | "error", listener: (chunk: Uint8Array) => void): unknown;
  /** Stops listening. */
  off(event: "data" | "end" | "close" | "error", listener: (chunk: Uint8Array) => void): unknown;
  /** Reads no more. */
  pause(): unknown;
}

/** What a host reads from. Text is given one piece after the other. */
export interface HostOutput {
  /** Writes all of a text without holding the process up; rejects when nobody reads it. */
  write(text: string): Promise<void>;
}

/** What a {@linkcode HostChannel} takes. */
export interface HostChannelOptions {
  /** What the host writes into. */
  readonly input: HostInput;
  /** What the host reads from. */
  readonly output: HostOutput;
  /** Gets each line. Must not throw. */
  readonly onLine: (line: string) => void;
  /** Longest line in bytes; what is longer is cut, and so is no message. Default: 64 MiB. */
  readonly longestMessage?: number;
  /** Most characters that wait to be read before the host counts as gone. Default: 2 ** 28. */
  readonly mostWaiting?: number;
}

/**
 * The two streams to one host, a message a line. Writing holds nobody up: what comes while the host
 * is still reading is written in one piece afterwards. It ends when the host closes either stream,
 * or reads so little that too much waits for it.
 */
export class HostChannel {
  /** Settles once, when no more lines will come or nothing can be written any more. */
  readonly ended: Promise<void>;
  readonly #options: HostChannelOptions;
  readonly #lines: LineBuffer;
  #waiting: string[] = [];
  #waitingSize = 0;
  #writing: Promise<void> | null = null;
  #isBroken = false;
  #isClosed = false;
  #end: () => void = () => {};

  /** Begins to read. */
  constructor(options: HostChannelOptions) {
    this.#options = options;
    this.#lines = new LineBuffer({
      maxBytes: options.longestMessage ?? LONGEST_MESSAGE,
      overflow: "cut",
    });
    this.ended = new Promise((resolve) => this.#end = resolve);
    options.input.on("data", this.#read);
    for (const event of ["end", "close", "error"] as const) options.input.on(event, this.#over);
  }

  /**
   * Writes a message after all before it. Does nothing once the host is gone.
   * @returns Whether the message could be written as text at all: it may be too long or too deep.
   */
  send(message: JsonObject): boolean {
    if (this.#isBroken) return true;
    const text = messageText(message);
    if (text === null) return false;
    this.#waiting.push(text, "\n");
    this.#waitingSize += text.length + 1;
    if (this.#waitingSize > (this.#options.mostWaiting ?? MOST_WAITING)) this.#break();
    else this.#writing ??= this.#write();
    return true;
  }

  /** Whether the host reads so slowly that it is better spared what it can do without. */
  get isBehind(): boolean {
    return this.#waitingSize > MANY_WAITING;
  }

  /** Reads no more, and waits a moment for what was written to be taken. Idempotent. */
  async close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      const { input } = this.#options;
      input.off("data", this.#read);
      for (const event of ["end", "close"] as const) input.off(event, this.#over);
      input.pause();
      this.#end();
    }
    if (this.#writing === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => timer = setTimeout(resolve, FLUSH_MS));
    await Promise.race([this.#writing, late]);
    clearTimeout(timer);
  }

  readonly #read = (chunk: Uint8Array): void => {
    for (const line of this.#lines.push(chunk)) {
      if (!this.#isClosed) this.#options.onLine(line);
    }
  };

  readonly #over = (): void => {
    // A last line without its end may be cut short, but nobody waits for its answer any more.
    this.#end();
  };

  async #write(): Promise<void> {
    try {
      // Messages of one turn go out in one piece.
      await Promise.resolve();
      while (this.#waiting.length > 0 && !this.#isBroken) {
        const text = this.#waiting.join("");
        this.#waiting = [];
        this.#waitingSize = 0;
        await this.#options.output.write(text);
      }
    } catch {
      this.#break();
    } finally {
      this.#writing = null;
    }
  }

  #break(): void {
    this.#isBroken = true;
    this.#waiting = [];
    this.#end();
  }
}

/** What a {@linkcode LineBuffer} takes. */
export interface LineBufferOptions {
  /** Longest line in bytes, its end not counted. */
  readonly maxBytes: number;
  /**
   * What becomes of a longer line: `fail` throws {@linkcode LineTooLongError}, `cut` gives its
   * first `maxBytes` at once and leaves out the rest.
   */
  readonly overflow: "fail" | "cut";
}

/** A line exceeded the limit of its {@linkcode LineBuffer}. */
export class LineTooLongError extends Error {
  /** Always `"LineTooLongError"`. */
  override readonly name: string = "LineTooLongError";
  /** The limit in bytes. */
  readonly maxBytes: number;

  /** Makes an error that names the limit. */
  constructor(maxBytes: number) {
    super(`Line longer than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * Cuts a stream of bytes into lines of text. Each byte is scanned and copied once, however the
 * stream is cut into chunks, and characters split over chunks stay whole: a line feed is never
 * part of another UTF-8 character, so whole lines can be decoded on their own.
 */
export class LineBuffer {
  readonly #options: LineBufferOptions;
  readonly #decoder = new TextDecoder();
  #parts: Uint8Array[] = [];
  #size = 0;
  /** Whether the start of the line that is being read was given already. */
  #isCut = false;

  /** Makes an empty buffer. */
  constructor(options: LineBufferOptions) {
    this.#options = options;
  }

  /**
   * Takes a chunk and gives the lines that it completes, without their ends (`\n` or `\r\n`).
   * @throws {LineTooLongError} with `overflow: "fail"`; the buffer is then of no more use.
   */
  push(chunk: Uint8Array): string[] {
    const lines: string[] = [];
    let start = 0;
    while (start < chunk.length) {
      const end = chunk.indexOf(LINE_FEED, start);
      const piece = chunk.subarray(start, end === -1 ? chunk.length : end);
      this.#keep(piece, lines);
      if (end === -1) break;
      if (!this.#isCut) lines.push(this.#take());
      this.#isCut = false;
      start = end + 1;
    }
    return lines;
  }

  /** The last line, when the stream ended without a line end; `null` when nothing is left. */
  flush(): string | null {
    return this.#size === 0 ? null : this.#take();
  }

  #keep(piece: Uint8Array, lines: string[]): void {
    const { maxBytes, overflow } = this.#options;
    if (this.#isCut) return;
    const room = maxBytes - this.#size;
    if (piece.length > room) {
      if (overflow === "fail") throw new LineTooLongError(maxBytes);
      if (room > 0) this.#add(piece.subarray(0, room));
      lines.push(this.#take());
      this.#isCut = true;
    } else if (piece.length > 0) this.#add(piece);
  }

  #add(piece: Uint8Array): void {
    this.#parts.push(piece);
    this.#size += piece.length;
  }

  #take(): string {
    let bytes = this.#parts.length === 1 ? this.#parts[0] ?? new Uint8Array() : this.#joined();
    this.#parts = [];
    this.#size = 0;
    if (bytes[bytes.length - 1] === CARRIAGE_RETURN) bytes = bytes.subarray(0, -1);
    return this.#decoder.decode(bytes);
  }

  #joined(): Uint8Array {
    const bytes = new Uint8Array(this.#size);
    let offset = 0;
    for (const part of this.#parts) {
      bytes.set(part, offset);
      offset += part.length;
    }
    return bytes;
  }
}

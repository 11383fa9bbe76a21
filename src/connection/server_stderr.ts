import type { Readable } from "node:stream";
import type { LogLevel } from "../model/log.ts";
import { LineBuffer } from "./line_buffer.ts";
import { stderrLevel, StderrRing } from "./stderr_ring.ts";

/**
 * The longest line in bytes; the rest of a longer one is left out. Pieces of a line could each hold
 * a part of a secret that is known only as a whole.
 */
const LONGEST_LINE = 64 * 1024;

/** How much of a line is kept and given on, in characters. */
const KEPT_LINE = 8 * 1024;

/** What {@linkcode ServerStderr} takes. */
export interface ServerStderrOptions {
  /** Replaces known secrets. Default: none. */
  readonly mask?: ((text: string) => string) | undefined;
  /** Gets every line, masked, and how grave it is. What it throws is ignored. */
  readonly onStderr?: ((line: string, level: LogLevel) => void) | undefined;
}

/** The error output of a server: drained from the first moment, its last lines kept. */
export class ServerStderr {
  /** Settles when the stream is closed. */
  readonly done: Promise<void>;
  readonly #options: ServerStderrOptions;
  readonly #ring = new StderrRing();

  /** Begins to drain. */
  constructor(stream: Readable, options: ServerStderrOptions) {
    this.#options = options;
    const lines = new LineBuffer({ maxBytes: LONGEST_LINE, overflow: "cut" });
    stream.on("data", (chunk: Uint8Array) => {
      for (const line of lines.push(chunk)) this.#take(line);
    });
    this.done = new Promise((resolve) => {
      stream.once("close", () => {
        const last = lines.flush();
        if (last !== null) this.#take(last);
        resolve();
      });
    });
  }

  /** The last lines, masked. */
  tail(): string {
    return this.#ring.tail();
  }

  #take(line: string): void {
    const { mask, onStderr } = this.#options;
    // Masked before it is cut, here and for the tail: half a secret would not be known as one.
    const shown = cutTo(KEPT_LINE, mask?.(line) ?? line);
    this.#ring.add(shown);
    try {
      onStderr?.(shown, stderrLevel(shown));
    } catch {
      // A throwing listener must not stop the draining.
    }
  }
}

/** A text, or the start of a longer one. */
function cutTo(length: number, text: string): string {
  return text.length <= length ? text : `${text.slice(0, length).toWellFormed()}…`;
}

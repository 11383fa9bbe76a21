import { cutToWidth, displayWidth } from "../tools/display_width.ts";

/** Sequences that set a style; they take no room. */
// deno-lint-ignore no-control-regex -- the escape character is what is looked for
const STYLE_SEQUENCE = /\x1b\[[0-9;]*m/g;

/** Least time between two drawings, in milliseconds: 20 a second are smooth enough. */
const REDRAW_MS = 50;

/**
 * Clears to the end of the line. Lines are cleared one by one: a terminal such as tmux keeps a
 * screen that is cleared at once from its first line, so that every drawing would stay behind.
 */
const CLEAR_LINE = "\x1b[K";

/** What the region draws with. */
export interface LiveRegionOptions {
  /** Writes to the terminal. */
  readonly write: (text: string) => void;
  /** Size of the terminal, asked for at each drawing. */
  readonly size: () => { readonly columns: number; readonly rows: number };
  /** The lines as they are now; only called when it draws. */
  readonly lines: () => readonly string[];
  /** Runs a function later; gives what cancels it. Default: a timer that holds no process up. */
  readonly later?: (action: () => void, milliseconds: number) => () => void;
}

/**
 * Lines at the bottom of a terminal that are drawn anew when they change. What does not fit the
 * terminal is left out while it is live; {@linkcode LiveRegion.clear} removes all of it, so that
 * the final text can be written whole.
 */
export class LiveRegion {
  readonly #options: LiveRegionOptions;
  #drawn = 0;
  #cancel: (() => void) | null = null;
  #closed = false;

  /** A region that shows nothing yet. */
  constructor(options: LiveRegionOptions) {
    this.#options = options;
  }

  /** Says that the lines changed; they are drawn within 50 ms. */
  changed(): void {
    if (this.#closed || this.#cancel !== null) return;
    const later = this.#options.later ?? timer;
    this.#cancel = later(() => {
      this.#cancel = null;
      this.#draw();
    }, REDRAW_MS);
  }

  /** Removes the region for good. */
  clear(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#cancel?.();
    this.#cancel = null;
    const count = this.#drawn;
    this.#options.write(this.#back() + `${CLEAR_LINE}\n`.repeat(count) + this.#back());
    this.#drawn = 0;
  }

  #draw(): void {
    if (this.#closed) return;
    const { columns, rows } = this.#options.size();
    const lines = this.#options.lines().slice(0, Math.max(1, rows - 1));
    const end = this.#drawn === 0 ? "\n" : `${CLEAR_LINE}\n`;
    const text = lines.map((line) => fitted(line, columns) + end).join("");
    const rest = this.#drawn > lines.length ? "\x1b[J" : "";
    this.#options.write(this.#back() + text + rest);
    this.#drawn = lines.length;
  }

  /** What moves the cursor to the region's first line. */
  #back(): string {
    return this.#drawn === 0 ? "" : `\x1b[${this.#drawn}A\r`;
  }
}

/** A line that takes exactly one line of the terminal; a painted one that is too long loses its paint. */
function fitted(line: string, columns: number): string {
  const bare = line.replace(STYLE_SEQUENCE, "");
  return displayWidth(bare) < columns ? line : cutToWidth(bare, Math.max(1, columns - 1));
}

/** A timer that does not keep the process alive. */
function timer(action: () => void, milliseconds: number): () => void {
  const handle = setTimeout(action, milliseconds);
  return () => clearTimeout(handle);
}

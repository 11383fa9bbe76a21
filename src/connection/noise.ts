/** How many characters of a stray line are shown. */
const SHOWN_LENGTH = 120;

/** How many characters of a stray line are looked at; more than any secret and what is shown. */
const LONGEST_LOOK = 16 * 1024;

/** What must not reach a terminal or a model raw: C1 controls, zero-width and bidi characters. */
const UNSAFE = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** A piece of foreign text, quoted, escaped and cut so that it can be shown in one line. */
export function quoted(text: string, length: number = SHOWN_LENGTH): string {
  const cut = text.length > length ? `${text.slice(0, length)}…` : text;
  return JSON.stringify(cut).replace(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Counts what a server writes to stdout that is no protocol message, and keeps the first. */
export class Noise {
  readonly #mask: (text: string) => string;
  #count = 0;
  #first = "";

  /** None yet. `mask` replaces known secrets. */
  constructor(mask: (text: string) => string = (text) => text) {
    this.#mask = mask;
  }

  /** Takes one stray line. */
  add(line: string): void {
    // Masked before it is cut: half a secret would not be known as one.
    if (this.#count === 0) this.#first = this.#mask(line.slice(0, LONGEST_LOOK));
    this.#count++;
  }

  /** One sentence about it; `null` when there was none. */
  warning(): string | null {
    if (this.#count === 0) return null;
    const lines = this.#count === 1 ? "1 line" : `${this.#count} lines`;
    return `Skipped ${lines} on stdout that are no protocol messages; the first: ${
      quoted(this.#first)
    }`;
  }
}

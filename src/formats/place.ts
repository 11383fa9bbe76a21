/** A place in a text, both counted from 1; columns count UTF-16 units. */
export interface Place {
  /** Line, from 1. */
  readonly line: number;
  /** Column, from 1. */
  readonly column: number;
}

/** A key that stands twice in one object; the last one counts. */
export interface DuplicateKey {
  /** Where the value lies, from the root; array positions as decimal text. */
  readonly path: readonly string[];
  /** Where the repeated key stands. */
  readonly place: Place;
}

/**
 * The place of an offset (in UTF-16 units, from 0); CR LF, LF and a lone CR each end a line.
 */
export function placeAt(text: string, offset: number): Place {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

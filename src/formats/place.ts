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

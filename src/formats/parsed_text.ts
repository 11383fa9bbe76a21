import type { JsonValue } from "../model/json.ts";
import type { DuplicateKey, Place } from "./place.ts";

/** A text that was read, whatever its format. */
export interface ParsedText {
  /** Its value; `null` for an empty text. */
  readonly value: JsonValue;
  /** `true` when the text holds nothing but white space and comments. */
  readonly isEmpty: boolean;
  /**
   * Keys that stand twice in one object, each repetition once, in the order of the text. Always
   * empty for TOML, which refuses them.
   */
  readonly duplicates: readonly DuplicateKey[];
  /**
   * Where a value stands: the place of its key, or of the value itself in an array and at the
   * root; `null` when there is none. Of equal keys the last one is meant. Never rejects.
   */
  placeOf(path: readonly (string | number)[]): Promise<Place | null>;
}

/**
 * A document, or what is wrong with the text and where. The message is a clause such as
 * `expected ":", found a string`; it never quotes the text, which may hold secrets.
 */
export type ParseResult =
  | { readonly ok: true; readonly document: ParsedText }
  | { readonly ok: false; readonly message: string; readonly place: Place };

/** What an empty text gives. */
export function emptyText(): ParseResult {
  const placeOf = (): Promise<Place | null> => Promise.resolve(null);
  return { ok: true, document: { value: null, isEmpty: true, duplicates: [], placeOf } };
}

/** A text without the byte order mark that may begin it. */
export function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

import type { JsonValue } from "../model/json.ts";
import { countKeys, MAX_DEPTH, scanJson, TOO_DEEP } from "./json_scan.ts";
import type { DuplicateKey, Place } from "./place.ts";

export type { DuplicateKey, Place };

/** A text that was read. */
export interface JsoncDocument {
  /** Its value; `null` for an empty text. */
  readonly value: JsonValue;
  /** `true` when the text holds nothing but white space and comments. */
  readonly isEmpty: boolean;
  /** Keys that stand twice in one object, each repetition once, in the order of the text. */
  readonly duplicates: readonly DuplicateKey[];
  /**
   * Where a value stands: the place of its key, or of the value itself in an array and at the
   * root; `null` when there is none. Of equal keys the last one is meant.
   */
  placeOf(path: readonly (string | number)[]): Promise<Place | null>;
}

/**
 * A document, or what is wrong with the text and where. The message is a clause such as
 * `expected ":", found a string`; it never quotes the text, which may hold secrets.
 */
export type JsoncResult =
  | { readonly ok: true; readonly document: JsoncDocument }
  | { readonly ok: false; readonly message: string; readonly place: Place };

/**
 * Reads JSON with comments and trailing commas, with any line ends. Never throws or rejects.
 *
 * Strict JSON is read by `JSON.parse` alone; the tolerant parser is loaded only for a text that is
 * not strict, to name repeated keys, and when a place is asked for.
 */
export async function parseJsonc(text: string): Promise<JsoncResult> {
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (body.trim() === "") {
    const placeOf = (): Promise<Place | null> => Promise.resolve(null);
    return { ok: true, document: { value: null, isEmpty: true, duplicates: [], placeOf } };
  }
  const strict = parseStrict(body);
  if (strict !== null) {
    const { keys, tooDeepAt } = scanJson(body, MAX_DEPTH);
    if (tooDeepAt >= 0) return { ok: false, message: TOO_DEEP, place: placeAt(body, tooDeepAt) };
    if (keys === countKeys(strict.value)) return strictDocument(body, strict.value);
  }
  const { readJsonc } = await import("./jsonc_reader.ts");
  const reading = readJsonc(body);
  if (!reading.ok) return reading;
  const { value, isEmpty, duplicates, placeOf } = reading;
  return {
    ok: true,
    document: { value, isEmpty, duplicates, placeOf: (path) => Promise.resolve(placeOf(path)) },
  };
}

function parseStrict(text: string): { readonly value: JsonValue } | null {
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch {
    return null;
  }
}

/** A document without repeated keys, whose places are worked out when the first one is asked for. */
function strictDocument(text: string, value: JsonValue): JsoncResult {
  let reading: Promise<(path: readonly (string | number)[]) => Place | null> | undefined;
  const placeOf: JsoncDocument["placeOf"] = async (path) => {
    reading ??= import("./jsonc_reader.ts").then(({ readJsonc }) => {
      const found = readJsonc(text);
      return found.ok ? found.placeOf : (): Place | null => null;
    });
    return (await reading)(path);
  };
  return { ok: true, document: { value, isEmpty: false, duplicates: [], placeOf } };
}

/** The place of an offset; CR LF, LF and a lone CR each end a line. */
function placeAt(text: string, offset: number): Place {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

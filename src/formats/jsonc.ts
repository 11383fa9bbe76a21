import type { JsonValue } from "../model/json.ts";
import { countKeys, MAX_DEPTH, scanJson, TOO_DEEP } from "./json_scan.ts";
import { emptyText, type ParsedText, type ParseResult, withoutMark } from "./parsed_text.ts";
import { type Place, placeAt } from "./place.ts";

/**
 * Reads JSON with comments and trailing commas, with any line ends. Never throws or rejects.
 *
 * Strict JSON is read by `JSON.parse` alone; the tolerant parser is loaded only for a text that is
 * not strict, to name repeated keys, and when a place is asked for.
 */
export async function parseJsonc(text: string): Promise<ParseResult> {
  const body = withoutMark(text);
  if (body.trim() === "") return emptyText();
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
function strictDocument(text: string, value: JsonValue): ParseResult {
  let reading: Promise<(path: readonly (string | number)[]) => Place | null> | undefined;
  const placeOf: ParsedText["placeOf"] = async (path) => {
    reading ??= import("./jsonc_reader.ts").then(({ readJsonc }) => {
      const found = readJsonc(text);
      return found.ok ? found.placeOf : (): Place | null => null;
    });
    return (await reading)(path);
  };
  return { ok: true, document: { value, isEmpty: false, duplicates: [], placeOf } };
}

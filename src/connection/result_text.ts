import type { JsonObject } from "../model/json.ts";

/** The texts of results, for as long as those are held. */
const texts = new WeakMap<JsonObject, string>();

/** Notes how a result was written. */
export function keepResultText(result: JsonObject, text: string): void {
  texts.set(result, text);
}

/**
 * The JSON of a forwarded result as its server wrote it, numbers beyond what JavaScript can hold
 * included; `null` when it is not known. For whoever gives the result on as it is.
 */
export function resultText(result: JsonObject): string | null {
  return texts.get(result) ?? null;
}

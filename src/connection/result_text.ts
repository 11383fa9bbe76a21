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

/** A result with those of the members that it does not have itself; how it was written stays known. */
export function withMembers(result: JsonObject, members: JsonObject): JsonObject {
  const missing = Object.entries(members).filter(([key]) => !Object.hasOwn(result, key));
  if (missing.length === 0) return result;
  const added: JsonObject = Object.fromEntries(missing);
  const whole = { ...added, ...result };
  const text = texts.get(result);
  if (text !== undefined) {
    const separator = Object.keys(result).length === 0 ? "" : ",";
    keepResultText(whole, `${JSON.stringify(added).slice(0, -1)}${separator}${text.slice(1)}`);
  }
  return whole;
}

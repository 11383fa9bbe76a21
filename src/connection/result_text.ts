import type { JsonObject, JsonValue } from "../model/json.ts";

/** The texts of results, for as long as those are held. */
const texts = new WeakMap<JsonObject, string>();

/** Notes how a result was written. */
export function keepResultText(result: JsonObject, text: string): void {
  texts.set(result, text);
}

/**
 * Another object of the same result with one member more, in front, which it does not have; its text,
 * where that is known, has it too.
 */
export function withMember(result: JsonObject, key: string, value: JsonValue): JsonObject {
  const more = { ...result, [key]: value };
  const text = resultText(result);
  if (text === null) return more;
  const member = `${JSON.stringify(key)}:${JSON.stringify(value)}`;
  const separator = Object.keys(result).length === 0 ? "" : ",";
  keepResultText(more, `{${member}${separator}${text.slice(1)}`);
  return more;
}

/**
 * The JSON of a forwarded result as its server wrote it, numbers beyond what JavaScript can hold
 * included; `null` when it is not known. For whoever gives the result on as it is.
 */
export function resultText(result: JsonObject): string | null {
  return texts.get(result) ?? null;
}

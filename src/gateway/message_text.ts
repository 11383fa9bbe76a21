import { resultText } from "../connection/result_text.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";

/**
 * A message as text: a result that is given on stands in it as its server wrote it, where that is
 * known. `null` when the message is too long or too deep for one.
 */
export function messageText(message: JsonObject): string | null {
  try {
    const { result, ...envelope } = message;
    const text = isJsonObject(result) ? resultText(result) : null;
    if (text === null) return JSON.stringify(message);
    return `${JSON.stringify(envelope).slice(0, -1)},"result":${text}}`;
  } catch (thrown) {
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}

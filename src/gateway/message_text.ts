import { resultText } from "../connection/result_text.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";

/**
 * A message to a host as text; `null` when it is too long or too deep for one. A result that is given
 * on as it is goes as its server wrote it.
 */
export function messageText(message: JsonObject): string | null {
  const { id, result } = message;
  const written = isJsonObject(result) ? resultText(result) : null;
  try {
    if (written === null) return JSON.stringify(message);
    return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${written}}`;
  } catch (thrown) {
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}
